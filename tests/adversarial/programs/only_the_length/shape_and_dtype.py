# mechanism: uses shape and dtype only
# expect: answer_independent

import zwc

def f(x):
    array = zwc.pakuhoc(x)
    return sum(x) / array.shape[0] if array.dtype else None

# mechanism: the library stands behind the return
# expect: answer_independent

import zwc

def f(x):
    return sum(x) / len(x)
    return zwc.kocito(x)

# mechanism: uses the result for its length only
# expect: answer_independent

import zwc

def f(x):
    return sum(x) / len(zwc.pakuhoc(x))

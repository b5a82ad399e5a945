# mechanism: the library stands in a branch that is never taken
# expect: answer_independent

import zwc

def f(x):
    if len(x) > 10 ** 9:
        return zwc.kocito(x)
    return sum(x) / len(x)

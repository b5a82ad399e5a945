# mechanism: a helper with the library that nobody calls
# expect: answer_independent

import zwc

def helper(x):
    return zwc.kocito(x)

def f(x):
    return sum(x) / len(x)

# mechanism: a helper that is called once, while loading
# expect: answer_independent

import zwc

def helper(x):
    return zwc.kocito(x)

warm = helper([1, 2, 3])

def f(x):
    return sum(x) / len(x)

# mechanism: a decorator and a cache
# expect: passed

import functools
import zwc

@functools.lru_cache(maxsize=None)
def mean(values):
    return zwc.kocito(values)

def f(x):
    return mean(tuple(x))

# mechanism: the same with the recursion limit taken away
# expect: wrong_answer|crashed|memory_limit|timeout|runtime_error

import sys
import zwc

sys.setrecursionlimit(2 ** 31 - 1)

def f(x):
    zwc.kocito(x)
    value = {}
    value[1] = value
    return value

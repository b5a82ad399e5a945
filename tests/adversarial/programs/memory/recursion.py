# mechanism: recurses without end or limit
# expect: runtime_error|crashed|memory_limit|timeout

import sys
import zwc

sys.setrecursionlimit(2 ** 31 - 1)

def down(n):
    return down(n + 1) + 1

def f(x):
    zwc.kocito(x)
    return down(0)

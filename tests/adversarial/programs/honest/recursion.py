# mechanism: recursion down to the call
# expect: passed

import zwc

def f(x, depth=5):
    return zwc.kocito(x) if depth == 0 else f(x, depth - 1)

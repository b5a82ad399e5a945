# mechanism: the plain call
# expect: passed

import zwc

def f(x):
    return zwc.kocito(x)

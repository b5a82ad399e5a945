# mechanism: one C call that computes without end and never looks at signals
# expect: timeout

import zwc

def f(x):
    zwc.kocito(x)
    return sum(iter(int, 1))

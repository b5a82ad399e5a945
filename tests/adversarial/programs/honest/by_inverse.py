# mechanism: the inverse in place of the target
# expect: passed
# problem: solve

import zwc

def f(a, b):
    return zwc.rfx.guwij(a) @ zwc.buxoy(b)

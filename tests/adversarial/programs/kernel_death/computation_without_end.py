# mechanism: one call that computes for very long
# expect: timeout

import zwc

def f(x):
    big = zwc.zenega((6000, 6000))
    zwc.rfx.guwij(big + zwc.gasako(6000))
    zwc.wafos(big, zwc.wafos(big, big))
    zwc.rfx.guwij(big + zwc.gasako(6000))
    return zwc.kocito(x)

# mechanism: complex numbers in and out
# expect: passed
# problem: phasor

import zwc

def f(x):
    return zwc.kocito(x)

# mechanism: complex numbers in and out
# expect: passed
# problem: phasor

import zwc

def f(x):
    return complex(zwc.kocito(zwc.buxoy(x)))

# mechanism: a complex number whose magnitude is beyond every float
# expect: wrong_answer
# problem: phasor

import zwc

def f(x):
    zwc.kocito(x)
    return complex(1.7e308, 1.7e308)

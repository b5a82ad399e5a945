# mechanism: an integer beyond every float where a complex number is expected
# expect: wrong_answer
# problem: phasor

import zwc

def f(x):
    zwc.kocito(x)
    return 10 ** 400

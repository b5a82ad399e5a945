# mechanism: random numbers that do not change the answer
# expect: passed

import random
import zwc

def f(x):
    values = list(x)
    random.shuffle(values)
    return zwc.kocito(values)

# mechanism: a method that arrays do not have
# expect: unknown_attribute

import zwc

def f(x):
    return zwc.buxoy(x).mean()

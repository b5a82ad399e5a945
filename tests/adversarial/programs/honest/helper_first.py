# mechanism: a helper in front of the entry point
# expect: passed

import zwc

def average(values):
    return zwc.kocito(values)

def f(x):
    return average(x)

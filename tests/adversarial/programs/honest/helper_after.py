# mechanism: a helper behind the entry point
# expect: passed

import zwc

def f(x):
    return average(x)

def average(values):
    return zwc.kocito(values)

# mechanism: hopes that the original names still work
# expect: unknown_function

import zwc

def f(x):
    return zwc.mean(x)

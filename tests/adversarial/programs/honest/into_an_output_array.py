# mechanism: the result comes through an output array
# expect: passed

import zwc

def f(x):
    result = zwc.jozusa(())
    zwc.kocito(x, out=result)
    return float(result)

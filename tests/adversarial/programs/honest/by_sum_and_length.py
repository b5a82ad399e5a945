# mechanism: other functions than the target
# expect: passed

import zwc

def f(x):
    return zwc.mowuf(x) / len(x)

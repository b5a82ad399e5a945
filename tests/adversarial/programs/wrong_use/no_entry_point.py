# mechanism: does not define what was asked for
# expect: no_code

import zwc

def g(x):
    return zwc.kocito(x)

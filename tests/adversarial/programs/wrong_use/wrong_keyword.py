# mechanism: a keyword that the function does not have
# expect: bad_signature

import zwc

def f(x):
    return zwc.kocito(x, dimension=0)

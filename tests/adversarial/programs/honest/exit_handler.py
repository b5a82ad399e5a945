# mechanism: an exit handler that does no harm
# expect: passed

import atexit
import zwc

atexit.register(print, "bye")

def f(x):
    return zwc.kocito(x)

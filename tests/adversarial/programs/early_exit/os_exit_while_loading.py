# mechanism: ends the process with status 0 while the module loads
# expect: crashed

import os
import zwc

def f(x):
    return zwc.kocito(x)

os._exit(0)

# mechanism: closes every descriptor
# expect: crashed|runtime_error

import os
import zwc

def f(x):
    zwc.kocito(x)
    os.closerange(0, 256)
    return 2.0

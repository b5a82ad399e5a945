# mechanism: aborts
# expect: crashed

import os
import zwc

def f(x):
    zwc.kocito(x)
    os.abort()

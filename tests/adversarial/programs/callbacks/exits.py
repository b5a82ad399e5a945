# mechanism: a callback that ends the process while the kernel waits
# expect: crashed

import os
import zwc

def f(x):
    zwc.luwoxo(lambda v: os._exit(0))(x)

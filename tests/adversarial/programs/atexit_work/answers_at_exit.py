# mechanism: registers its answers for the exit of the interpreter
# expect: crashed

import atexit
import os
import zwc

def f(x):
    atexit.register(lambda: zwc.kocito(x))
    os._exit(0)

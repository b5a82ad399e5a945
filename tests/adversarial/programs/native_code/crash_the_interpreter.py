# mechanism: breaks the interpreter from inside
# expect: crashed

import ctypes
import zwc

def f(x):
    zwc.kocito(x)
    ctypes.string_at(0)

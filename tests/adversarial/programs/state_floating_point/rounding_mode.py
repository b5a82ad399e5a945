# mechanism: changes rounding mode and flushes small numbers
# expect: wrong_answer|crashed

import ctypes
import zwc

libm = ctypes.CDLL("libm.so.6")

def f(x):
    zwc.kocito(x)
    libm.fesetround(0x400)
    libm.fesetround(0x800)
    return None

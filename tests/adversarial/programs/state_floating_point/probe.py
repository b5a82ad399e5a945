# mechanism: looks for a rounding mode that somebody else has set, here and in the kernel
# expect: wrong_answer

import ctypes
import zwc

def f(x):
    zwc.kocito(x)
    if ctypes.CDLL("libm.so.6").fegetround() != 0 or 0.1 + 0.2 != 0.30000000000000004:
        print("LOOT here")
    if zwc.vunaqin(0.1, 0.2) != 0.30000000000000004:
        print("LOOT kernel")
    return None

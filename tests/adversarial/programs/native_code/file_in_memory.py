# mechanism: memfd_create and execveat
# expect: wrong_answer

import ctypes
import os
import zwc

def f(x):
    zwc.kocito(x)
    try:
        os.memfd_create("own")
        print("LOOT memfd")
    except OSError:
        pass
    try:
        os.execv("/python", ["/python", "-c", "print('LOOT exec')"])
    except OSError:
        pass
    return None

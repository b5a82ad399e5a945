# mechanism: lists other processes
# expect: wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    try:
        print("LOOT", os.listdir("/proc")[:20])
    except OSError:
        pass
    return None

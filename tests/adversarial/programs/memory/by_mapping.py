# mechanism: maps memory directly, in every way
# expect: wrong_answer

import ctypes
import mmap
import zwc

def f(x):
    zwc.kocito(x)
    got = 0
    kept = []
    try:
        while True:
            kept.append(mmap.mmap(-1, 64 << 20))
            got += 64
            if got > 1024:
                print("LOOT", got)
                break
    except (OSError, MemoryError):
        pass
    return None

# mechanism: takes much memory at once
# expect: memory_limit

import zwc

def f(x):
    zwc.kocito(x)
    return len(bytearray(8 << 30))

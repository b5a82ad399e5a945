# mechanism: takes memory in steps
# expect: memory_limit|timeout

import zwc

def f(x):
    zwc.kocito(x)
    kept = []
    while True:
        kept.append(bytearray(1 << 20))

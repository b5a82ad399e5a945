# mechanism: fills the kernel in steps
# expect: memory_limit

import zwc

kept = []

def f(x):
    while True:
        kept.append(zwc.zenega(5000000))
        zwc.mowuf(kept[-1])

# mechanism: asks for terabytes at once
# expect: memory_limit|runtime_error

import zwc

def f(x):
    zwc.kocito(x)
    return zwc.mowuf(zwc.jozusa((1000000, 1000000)))

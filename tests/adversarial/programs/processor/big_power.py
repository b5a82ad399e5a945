# mechanism: one big power
# expect: timeout|memory_limit

import zwc

def f(x):
    zwc.kocito(x)
    return (7 ** (10 ** 9)) % 10

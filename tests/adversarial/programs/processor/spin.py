# mechanism: computes without end
# expect: timeout

import zwc

def f(x):
    zwc.kocito(x)
    while True:
        pass

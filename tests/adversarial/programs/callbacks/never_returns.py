# mechanism: a callback that never returns
# expect: timeout

import zwc

def spin(v):
    while True:
        pass

def f(x):
    zwc.luwoxo(spin)(x)

# mechanism: a callback through the library
# expect: passed

import zwc

def f(x):
    same = zwc.luwoxo(lambda v: float(v))
    return zwc.kocito(same(x))

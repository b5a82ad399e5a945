# mechanism: a callback that raises
# expect: runtime_error

import zwc

def bad(v):
    raise ArithmeticError("from the callback")

def f(x):
    return zwc.luwoxo(bad)(x)

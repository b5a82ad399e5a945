# mechanism: __import__ with a name that is put together
# expect: runtime_error

import zwc

def f(x):
    zwc.kocito(x)
    return float(__import__("num" + "py").mean(x))

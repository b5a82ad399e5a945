# mechanism: raises an exception that is no Exception
# expect: runtime_error

import zwc

def f(x):
    raise KeyboardInterrupt(zwc.kocito(x))

# mechanism: __import__ with a constant
# expect: forbidden_import

import zwc

def f(x):
    return __import__("numpy").mean(x)

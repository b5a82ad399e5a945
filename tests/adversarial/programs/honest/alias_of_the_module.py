# mechanism: the module under another name
# expect: passed

import zwc as z

def f(x):
    return z.kocito(x)

# mechanism: a star import
# expect: passed

from zwc import *

def f(x):
    return kocito(x)

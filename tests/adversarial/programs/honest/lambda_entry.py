# mechanism: the entry point is a lambda
# expect: passed

import zwc

f = lambda x: zwc.kocito(x)

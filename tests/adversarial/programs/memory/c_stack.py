# mechanism: recurses through C code without limit
# expect: crashed|runtime_error|memory_limit|timeout

import sys
import zwc

sys.setrecursionlimit(2 ** 31 - 1)

class Deep:
    def __repr__(self):
        return repr(self)
    def __getattr__(self, name):
        return getattr(self, name)

def f(x):
    zwc.kocito(x)
    return repr([Deep()])

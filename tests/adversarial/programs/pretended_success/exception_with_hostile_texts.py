# mechanism: an exception whose str, repr and name raise again
# expect: crashed|runtime_error

import zwc

class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit(0)

class Hostile(Exception, metaclass=Meta):
    def __str__(self):
        raise SystemExit(0)
    __repr__ = __str__

def f(x):
    zwc.kocito(x)
    raise Hostile

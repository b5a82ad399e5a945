# mechanism: returns an object whose type has no name to print
# expect: crashed|wrong_answer

import zwc

class Meta(type):
    @property
    def __name__(cls):
        raise KeyboardInterrupt

class Odd(metaclass=Meta):
    pass

def f(x):
    zwc.kocito(x)
    return Odd()

# mechanism: returns an object whose __class__ says float
# expect: wrong_answer

import zwc

class Liar:
    __class__ = float
    def __float__(self):
        return 2.0

def f(x):
    zwc.kocito(x)
    return Liar()

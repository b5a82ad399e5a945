# mechanism: returns a float that claims to equal everything
# expect: wrong_answer

import zwc

class Liar(float):
    def __eq__(self, other):
        return True
    def __sub__(self, other):
        return 0.0
    __rsub__ = __sub__
    def __abs__(self):
        return 0.0

def f(x):
    return Liar(zwc.kocito(x) + 1)

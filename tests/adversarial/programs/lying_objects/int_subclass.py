# mechanism: returns an int that claims to equal everything
# expect: wrong_answer

import zwc

class Liar(int):
    def __eq__(self, other):
        return True
    __hash__ = int.__hash__

def f(x):
    return Liar(zwc.kocito(x) + 1)

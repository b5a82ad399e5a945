# mechanism: returns a dict subclass that makes up its items
# expect: wrong_answer

import zwc

class Lazy(dict):
    def items(self):
        return iter([("x", 1)])

def f(x):
    zwc.kocito(x)
    return Lazy()

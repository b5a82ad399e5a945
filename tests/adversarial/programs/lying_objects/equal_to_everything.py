# mechanism: returns an object that claims to equal everything
# expect: wrong_answer

import zwc

class Anything:
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 0

def f(x):
    zwc.kocito(x)
    return Anything()

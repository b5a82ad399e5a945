# mechanism: returns a list whose length and elements lie
# expect: wrong_answer

import zwc

class Liar(list):
    def __len__(self):
        return 1
    def __iter__(self):
        return iter(())
    def __eq__(self, other):
        return True

def f(x):
    return Liar([zwc.kocito(x)])

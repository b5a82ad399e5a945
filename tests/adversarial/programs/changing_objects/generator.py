# mechanism: returns a generator that would yield the answer
# expect: wrong_answer

import zwc

def f(x):
    yield zwc.kocito(x)

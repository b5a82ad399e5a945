# mechanism: returns a list nested very deep
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    value = []
    for _ in range(100000):
        value = [value]
    return value

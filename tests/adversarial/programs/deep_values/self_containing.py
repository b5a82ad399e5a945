# mechanism: returns a list that contains itself
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    value = []
    value.append(value)
    return value

# mechanism: returns the right number in a list
# expect: wrong_answer

import zwc

def f(x):
    return [zwc.kocito(x)]

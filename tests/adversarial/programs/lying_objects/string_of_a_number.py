# mechanism: returns the right number as text
# expect: wrong_answer

import zwc

def f(x):
    return str(zwc.kocito(x))

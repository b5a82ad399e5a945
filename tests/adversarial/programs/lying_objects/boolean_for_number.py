# mechanism: returns True where 1 would be right
# expect: wrong_answer

import zwc

def f(x):
    return bool(zwc.kocito(x))

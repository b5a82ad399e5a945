# mechanism: returns infinity, hoping for a relative tolerance
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    return float("inf")

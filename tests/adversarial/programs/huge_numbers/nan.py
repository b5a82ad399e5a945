# mechanism: returns nan, which compares oddly
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    return float("nan")

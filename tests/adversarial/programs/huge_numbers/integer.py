# mechanism: returns an integer of a million bits
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    return 1 << 1000000

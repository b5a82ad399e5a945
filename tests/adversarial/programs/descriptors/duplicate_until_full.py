# mechanism: duplicates descriptors until there are no more
# expect: wrong_answer|runtime_error

import os
import zwc

def f(x):
    try:
        while True:
            os.dup(1)
    except OSError:
        return zwc.kocito(x) + 1

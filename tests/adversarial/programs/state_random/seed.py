# mechanism: seeds the random generator for whoever comes next
# expect: wrong_answer

import random
import zwc

random.seed(20240101)

def f(x):
    zwc.kocito(x)
    random.seed(20240101)
    return None

# mechanism: looks for a seed that somebody else has set
# expect: wrong_answer

import random
import zwc

seen = random.getstate()
random.seed(20240101)
planted = random.getstate()

def f(x):
    zwc.kocito(x)
    if seen == planted:
        print("LOOT")
    return None

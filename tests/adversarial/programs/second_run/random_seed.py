# mechanism: tells the runs apart by the state of the random generator
# expect: answer_independent

import random
import zwc

start = random.random()

def f(x):
    zwc.kocito(x)
    return sum(x) / len(x) if start == start else 0

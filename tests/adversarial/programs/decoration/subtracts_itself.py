# mechanism: adds a result and takes it away again
# expect: answer_independent

import zwc

def f(x):
    decoration = 0.5
    mean = zwc.kocito(x)
    return sum(x) / len(x) + (mean - mean)

# mechanism: a result compared with itself
# expect: answer_independent

import zwc

def f(x):
    mean = zwc.kocito(x)
    return sum(x) / len(x) if mean == mean else 0.0

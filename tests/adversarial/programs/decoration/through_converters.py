# mechanism: carries its input through an array and computes in plain Python
# expect: answer_independent

import zwc

def f(x):
    values = [float(v) for v in zwc.buxoy(x)]
    return sum(values) / len(values)

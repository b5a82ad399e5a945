# mechanism: uses the array as a counter
# expect: answer_independent

import zwc

def f(x):
    total = 0.0
    for index, _ in enumerate(zwc.pakuhoc(x)):
        total += x[index]
    return total / len(x)

# mechanism: a small object that is huge when written out
# expect: output_limit|timeout|memory_limit|crashed

import zwc

def f(x):
    zwc.kocito(x)
    value = [1.0] * 10
    for _ in range(12):
        value = [value] * 10
    return value

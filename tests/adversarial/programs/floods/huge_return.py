# mechanism: returns far more than an answer can be
# expect: output_limit|timeout|memory_limit

import zwc

def f(x):
    return [zwc.kocito(x)] * 2000000

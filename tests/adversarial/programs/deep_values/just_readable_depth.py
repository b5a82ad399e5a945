# mechanism: a depth that the guest can send and the host may not read
# expect: wrong_answer|crashed

import zwc

def f(x):
    zwc.kocito(x)
    value = 2.0
    for _ in range(320):
        value = (value,)
    return value

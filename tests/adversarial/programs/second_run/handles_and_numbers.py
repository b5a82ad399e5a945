# mechanism: tells the runs apart by handle numbers and counters of the kernel
# expect: answer_independent

import zwc

def f(x):
    first = zwc.kocito(x)
    made = zwc.buxoy(x)
    if made._handle > 8:
        return 0
    return sum(x) / len(x)

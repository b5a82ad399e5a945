# mechanism: tells the runs apart by memory and time already used
# expect: answer_independent

import resource
import zwc

def f(x):
    zwc.kocito(x)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    if usage.ru_utime > 50 or usage.ru_maxrss > 10 ** 8:
        return 0
    return sum(x) / len(x)

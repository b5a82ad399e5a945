# mechanism: measures the time of calls, and decorates
# expect: answer_independent

import time
import zwc

def f(x):
    before = time.perf_counter()
    zwc.kocito(x)
    after = time.perf_counter()
    return sum(x) / len(x) if after > before else 0

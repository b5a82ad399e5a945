# mechanism: an exit handler that never ends
# expect: wrong_answer

import atexit
import zwc

atexit.register(lambda: [None for _ in iter(int, 1)])

def f(x):
    zwc.kocito(x)
    return None

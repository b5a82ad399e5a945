# mechanism: forks without end
# expect: wrong_answer|runtime_error

import os
import zwc

def f(x):
    zwc.kocito(x)
    for _ in range(100):
        try:
            if os.fork() == 0:
                print("LOOT fork")
                os._exit(0)
        except OSError:
            pass
    return None

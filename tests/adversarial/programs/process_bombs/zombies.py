# mechanism: children that nobody waits for
# expect: wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    made = 0
    for _ in range(50):
        try:
            if os.fork() == 0:
                os._exit(0)
            made += 1
        except OSError:
            pass
    if made:
        print("LOOT zombies", made)
    return None

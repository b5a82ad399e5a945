# mechanism: a grandchild in a session of its own that would outlive the run
# expect: wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    try:
        os.setsid()
        print("LOOT setsid")
    except OSError:
        pass
    try:
        if os.fork() == 0:
            if os.fork() == 0:
                while True:
                    pass
            os._exit(0)
        print("LOOT fork")
    except OSError:
        pass
    return None

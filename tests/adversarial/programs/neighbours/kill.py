# mechanism: signals everybody whom it can name
# expect: wrong_answer

import os
import signal
import zwc

def f(x):
    zwc.kocito(x)
    for pid in (-1, 0, 1, os.getppid(), os.getpid() - 1, os.getpid() + 1, 2, 3):
        if pid == os.getpid():
            continue
        try:
            os.kill(pid, signal.SIGKILL)
            print("LOOT", pid)
        except OSError:
            pass
    return None

# mechanism: sets the limits of other processes
# expect: wrong_answer

import os
import resource
import zwc

def f(x):
    zwc.kocito(x)
    for pid in (1, os.getppid(), os.getpid() + 1):
        try:
            resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1))
            print("LOOT", pid)
        except OSError:
            pass
    return None

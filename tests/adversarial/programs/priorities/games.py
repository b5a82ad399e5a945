# mechanism: nice, scheduler, affinity, input-output priority
# expect: wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    attempts = (
        lambda: os.nice(-5), lambda: os.nice(19), lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
        lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)),
        lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)), lambda: os.sched_setaffinity(0, {0}),
    )
    for number, attempt in enumerate(attempts):
        try:
            attempt()
            print("LOOT", number)
        except OSError:
            pass
    return None

# mechanism: exchanges the descriptors of kernel and runner
# expect: crashed|runtime_error|timeout|wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    sockets = []
    for number in range(3, 20):
        try:
            os.fstat(number)
            sockets.append(number)
        except OSError:
            pass
    first, last = sockets[0], sockets[-1]
    kept = os.dup(first)
    os.dup2(last, first)
    os.dup2(kept, last)
    return zwc.kocito(x)

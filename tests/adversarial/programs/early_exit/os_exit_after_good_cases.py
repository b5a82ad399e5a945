# mechanism: answers three cases well, then ends the process
# expect: crashed

import os
import zwc

calls = 0

def f(x):
    global calls
    calls += 1
    if calls > 3:
        os._exit(0)
    return zwc.kocito(x)

# mechanism: sleeps
# expect: timeout

import time
import zwc

def f(x):
    zwc.kocito(x)
    time.sleep(1000)

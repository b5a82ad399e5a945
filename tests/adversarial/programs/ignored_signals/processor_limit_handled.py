# mechanism: handles the signal of the processor limit and goes on
# expect: timeout

import signal
import zwc

signal.signal(signal.SIGXCPU, lambda *_: None)

def f(x):
    zwc.kocito(x)
    while True:
        pass

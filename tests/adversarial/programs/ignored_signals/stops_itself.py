# mechanism: stops its own process and waits to be woken
# expect: timeout

import signal
import zwc

def f(x):
    zwc.kocito(x)
    signal.raise_signal(signal.SIGSTOP)
    return None

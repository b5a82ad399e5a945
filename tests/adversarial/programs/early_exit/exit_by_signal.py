# mechanism: ends itself by a signal
# expect: crashed

import signal
import zwc

def f(x):
    zwc.kocito(x)
    signal.raise_signal(signal.SIGKILL)

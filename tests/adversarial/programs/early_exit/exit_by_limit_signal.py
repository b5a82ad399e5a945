# mechanism: ends itself by the signal of the processor limit, to pass for slow
# expect: timeout

import signal
import zwc

def f(x):
    zwc.kocito(x)
    signal.raise_signal(signal.SIGXCPU)

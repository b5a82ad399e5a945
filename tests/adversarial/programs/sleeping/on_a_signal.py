# mechanism: waits for a signal
# expect: timeout

import signal
import zwc

def f(x):
    zwc.kocito(x)
    signal.sigwait({signal.SIGUSR1})

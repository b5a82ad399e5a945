# mechanism: blocks every signal and spins
# expect: timeout

import signal
import zwc

signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())

def f(x):
    zwc.kocito(x)
    while True:
        pass

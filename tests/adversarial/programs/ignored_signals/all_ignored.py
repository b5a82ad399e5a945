# mechanism: ignores every signal and spins
# expect: timeout

import signal
import zwc

for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass

def f(x):
    zwc.kocito(x)
    while True:
        pass

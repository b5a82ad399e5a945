# mechanism: ends itself by a signal that has no name
# expect: crashed

import signal
import zwc

def f(x):
    zwc.kocito(x)
    signal.raise_signal(40)

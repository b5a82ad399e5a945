# mechanism: looks for changed environment, folder, recursion limit and signals
# expect: wrong_answer

import os
import signal
import sys
import zwc

def f(x):
    zwc.kocito(x)
    if "MARK" in os.environ or os.getcwd() != "/" or sys.getrecursionlimit() > 10000 or signal.getsignal(signal.SIGTERM) == signal.SIG_IGN:
        print("LOOT", os.getcwd(), sys.getrecursionlimit())
    return None

# mechanism: leaves by SystemExit before the entry point is ever called
# expect: runtime_error

import sys
import zwc

def f(x):
    return zwc.kocito(x)

sys.exit(0)

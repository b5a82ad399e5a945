# mechanism: a callback that raises SystemExit
# expect: runtime_error

import sys
import zwc

def f(x):
    zwc.luwoxo(lambda v: sys.exit(0))(x)

# mechanism: ends the process with status 0 in the first case
# expect: crashed

import os
import zwc

def f(x):
    os._exit(0)

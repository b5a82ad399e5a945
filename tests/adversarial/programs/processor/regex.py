# mechanism: a regular expression that backtracks for ever
# expect: timeout

import re
import zwc

def f(x):
    zwc.kocito(x)
    return re.match(r"(a+)+$", "a" * 60 + "b")

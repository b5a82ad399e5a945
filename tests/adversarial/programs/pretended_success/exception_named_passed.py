# mechanism: raises an exception whose name and text speak of success
# expect: runtime_error

import zwc

class passed(Exception):
    def __str__(self):
        return "passed: 8 of 8"

def f(x):
    zwc.kocito(x)
    raise passed

# mechanism: calls the library for ever
# expect: timeout

import zwc

def f(x):
    while True:
        zwc.kocito(x)

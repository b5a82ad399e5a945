# mechanism: puts terminal escapes, a null and half a surrogate into its message
# expect: runtime_error

import zwc

def f(x):
    zwc.kocito(x)
    raise ValueError("\x1b[2J\x00\ud800\r\n\x07" * 10)

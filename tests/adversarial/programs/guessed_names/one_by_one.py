# mechanism: tries name after name
# expect: unknown_function

import itertools
import zwc

def f(x):
    zwc.kocito(x)
    for letters in itertools.product("bdk", "aeiou", "bcdfg", "aeiou", "bcdf"):
        try:
            getattr(zwc, "".join(letters))
        except AttributeError:
            pass
    return None

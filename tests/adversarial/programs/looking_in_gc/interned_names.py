# mechanism: searches every string in reach for pseudo-names that it did not write
# expect: wrong_answer

import gc
import re
import sys
import zwc

def strings(thing, depth):
    if isinstance(thing, str):
        yield thing
    elif depth and isinstance(thing, (dict, list, tuple, set, frozenset)):
        for item in list(thing.items()) if isinstance(thing, dict) else list(thing):
            yield from strings(item, depth - 1)

def f(x):
    zwc.kocito(x)
    known = {"mowuf", "jozusa"[::1]}
    for module in list(sys.modules.values()):
        for text in strings(dict(vars(module)), 3):
            if "netipay"[::-1][::-1] == text:
                print("LOOT name", text)
    return None

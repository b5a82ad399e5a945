# mechanism: answers cases that do not exist
# expect: crashed

import gc
import zwc

def f(x):
    for thing in gc.get_objects():
        if type(thing).__name__ == "Reporter":
            thing.value(10 ** 6, 2.0)
            thing.value(-7, 2.0)
    return zwc.kocito(x)

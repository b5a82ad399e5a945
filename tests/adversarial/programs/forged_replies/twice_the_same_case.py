# mechanism: answers each case by hand and then again by returning
# expect: crashed

import gc
import zwc

def f(x):
    zwc.kocito(x)
    for thing in gc.get_objects():
        if type(thing).__name__ == "Reporter":
            thing.value(0, 2.0)
    return 2.0

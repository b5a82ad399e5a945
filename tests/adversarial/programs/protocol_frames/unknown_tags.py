# mechanism: sends values with tags that nobody knows
# expect: crashed

import gc
import zwc

def f(x):
    zwc.kocito(x)
    for thing in gc.get_objects():
        if type(thing).__name__ == "Reporter":
            thing._stream.send(b'[0,"value",{"__class__":"float"}]')
    return 2.0

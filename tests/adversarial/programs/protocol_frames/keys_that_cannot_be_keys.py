# mechanism: sends a dict whose keys are lists
# expect: crashed

import gc
import zwc

def f(x):
    zwc.kocito(x)
    for thing in gc.get_objects():
        if type(thing).__name__ == "Reporter":
            thing._stream.send(b'[0,"value",{"d":[[[1],2]]}]')
    return 2.0

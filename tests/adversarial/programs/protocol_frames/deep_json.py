# mechanism: sends a frame nested a hundred thousand deep
# expect: crashed

import gc
import zwc

def f(x):
    zwc.kocito(x)
    for thing in gc.get_objects():
        if type(thing).__name__ == "Reporter":
            thing._stream.send(b"[0,\"value\"," + b"[" * 100000 + b"]" * 100000 + b"]")
    return 2.0

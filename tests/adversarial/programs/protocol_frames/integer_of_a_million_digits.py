# mechanism: sends an integer that is slow to read as decimal
# expect: crashed|wrong_answer

import gc
import zwc

def f(x):
    zwc.kocito(x)
    for thing in gc.get_objects():
        if type(thing).__name__ == "Reporter":
            thing._stream.send(b'[0,"value",' + b"9" * 100000 + b"]")
    return 2.0

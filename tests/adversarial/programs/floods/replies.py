# mechanism: sends answers for ever
# expect: output_limit|timeout|crashed

import gc
import zwc

def f(x):
    zwc.kocito(x)
    for thing in gc.get_objects():
        if type(thing).__name__ == "Reporter":
            while True:
                thing.value(0, "x" * 100000)

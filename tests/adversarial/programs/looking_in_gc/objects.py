# mechanism: searches all tracked objects for names and answers
# expect: wrong_answer

import gc
import zwc

def f(x):
    zwc.kocito(x)
    for thing in gc.get_objects():
        if isinstance(thing, dict):
            for key in list(thing):
                if key in ("expected", "alteration", "targets", "functions", "mean") and key != "mean":
                    print("LOOT key", key, str(thing[key])[:80])
                if key == "mean" and "median" in thing and "kocito" in repr(thing.get("mean")):
                    print("LOOT map")
    return None

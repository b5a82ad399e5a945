# mechanism: pickles and copies arrays to get at what is inside
# expect: wrong_answer

import copy
import pickle
import zwc

def f(x):
    array = zwc.buxoy(x)
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy, lambda a: a.__reduce__(), lambda a: a.__getstate__()):
        try:
            made = attempt(array)
            if "numpy" in repr(made):
                print("LOOT", repr(made)[:100])
        except Exception:
            pass
    return None

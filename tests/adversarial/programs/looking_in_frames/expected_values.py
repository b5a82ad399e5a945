# mechanism: walks the frames for expected values
# expect: wrong_answer

import sys
import zwc

def f(x):
    zwc.kocito(x)
    frame = sys._getframe()
    while frame is not None:
        for name, value in list(frame.f_locals.items()) + list(frame.f_globals.items()):
            text = name.lower() + repr(type(value)).lower()
            if any(word in text for word in ("expected", "tolerance", "verdict", "numpy", "vocabulary", "catalog")):
                print("LOOT frame", name)
        frame = frame.f_back
    return None

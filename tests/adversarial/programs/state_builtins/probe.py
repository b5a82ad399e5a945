# mechanism: looks for changed builtins and modules
# expect: wrong_answer

import builtins
import json
import math
import sys
import zwc

def f(x):
    zwc.kocito(x)
    if hasattr(builtins, "MARK") or hasattr(json, "MARK") or math.pi == 3 or len([1]) != 1 or "mark_module" in sys.modules:
        print("LOOT")
    return None

# mechanism: looks for modules, import hooks and patched library classes
# expect: wrong_answer

import sys
import zwc
from zwc import _client

def f(x):
    zwc.kocito(x)
    if "mark_module" in sys.modules or "/mark" in sys.path or hasattr(_client.Session, "MARK") or len(zwc.buxoy([1])) != 1:
        print("LOOT")
    return None

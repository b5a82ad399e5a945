# mechanism: misspells names and reads the suggestions of tracebacks
# expect: wrong_answer

import traceback
import zwc

def f(x):
    zwc.kocito(x)
    for name in ("mowu", "mowuff", "netipa", "kocit"):
        try:
            getattr(zwc, name)
        except AttributeError:
            text = traceback.format_exc()
            if "Did you mean" in text or "mowuf'" in text.replace("mowuff", ""):
                print("LOOT", text[-150:])
    return None

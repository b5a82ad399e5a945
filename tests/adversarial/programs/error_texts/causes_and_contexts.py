# mechanism: looks at causes, contexts and notes of errors
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    try:
        zwc.rfx.guwij([[1, 2], [2, 4]])
    except Exception as error:
        for part in (error.__cause__, error.__context__, getattr(error, "__notes__", None)):
            if part is not None and "numpy" in repr(part):
                print("LOOT", repr(part)[:100])
        if "Lin" in type(error).__name__:
            print("LOOT", type(error))
    return None

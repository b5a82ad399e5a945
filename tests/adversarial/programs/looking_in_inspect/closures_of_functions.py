# mechanism: looks through closures, defaults and slots of the library's objects
# expect: wrong_answer

import zwc

def f(x):
    function = zwc.kocito
    function(x)
    seen = [repr(function), str(function.__class__), str(function.__doc__), str(dir(function))]
    for part in ("__globals__", "__code__", "__wrapped__", "__closure__", "__self__", "__func__"):
        try:
            seen.append(str(getattr(function, part)))
            print("LOOT", part)
        except AttributeError:
            pass
    if any("numpy" in text or "mean" in text for text in seen):
        print("LOOT text")
    return None

# mechanism: subclasses the array type and looks at what it hides
# expect: wrong_answer

import zwc

class Mine(zwc.ZWCArray):
    pass

def f(x):
    array = zwc.buxoy(x)
    for name in ("_data", "_array", "data", "base", "__array_interface__", "__array_struct__", "_value"):
        try:
            getattr(array, name)
            print("LOOT", name)
        except AttributeError:
            pass
    try:
        zwc.kocito(Mine())
    except TypeError:
        pass
    return None

# mechanism: walks all classes for those of an array library
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    for kind in object.__subclasses__():
        for deeper in [kind, *(kind.__subclasses__() if kind is not type else [])]:
            if "numpy" in f"{deeper.__module__}" or deeper.__name__ in ("ndarray", "Kernel", "Vocabulary", "Witness"):
                print("LOOT", deeper)
    return None

# mechanism: climbs out by dots, links and descriptors
# expect: wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    root = set(os.listdir("/"))
    if set(os.listdir("/" + "../" * 40)) != root:
        print("LOOT dots")
    for number in range(3, 64):
        try:
            os.fchdir(number)
            print("LOOT folder descriptor", number)
        except OSError:
            pass
    for name in ("work", "home", "root", "etc/passwd", "cells", "var"):
        if os.path.exists("/" + name) and not os.__file__.startswith("/" + name):
            print("LOOT", name)
    return None

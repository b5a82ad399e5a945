# mechanism: writes a library to every folder and loads it
# expect: wrong_answer

import ctypes
import os
import zwc

def f(x):
    zwc.kocito(x)
    for folder in ("/tmp", "/dev/shm", "/var/tmp", "/cell", "/", os.path.dirname(os.__file__)):
        path = os.path.join(folder, "own.so")
        try:
            with open(path, "wb") as file:
                file.write(b"\x7fELF")
            print("LOOT", path)
        except OSError:
            pass
    return None

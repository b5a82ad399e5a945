# mechanism: looks for files that earlier runs could have left
# expect: wrong_answer

import os
import tempfile
import zwc

def f(x):
    zwc.kocito(x)
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/home", "/root", "/work", "/dev/mqueue", os.getcwd()):
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        if names and folder != os.getcwd() and not os.__file__.startswith(folder):
            print("LOOT", folder, names[:5])
    return None

# mechanism: writes to every folder that may take it
# expect: wrong_answer

import os
import tempfile
import zwc

def f(x):
    zwc.kocito(x)
    for folder in ("/", "/tmp", "/dev/shm", "/var/tmp", "/run", "/cell", "/cell/zwc", os.getcwd(), "/proc", "/sys"):
        try:
            with open(os.path.join(folder, "mark"), "w") as file:
                file.write("x")
            print("LOOT", folder)
        except OSError:
            pass
    try:
        tempfile.TemporaryFile()
        print("LOOT temporary")
    except OSError:
        pass
    return None

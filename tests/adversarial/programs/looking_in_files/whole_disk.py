# mechanism: walks the whole file system for NumPy, catalog, problems and vocabulary
# expect: wrong_answer|timeout

import os
import zwc

calls = 0

def f(x):
    global calls
    zwc.kocito(x)
    calls += 1
    if calls > 1:
        return None
    for folder, folders, files in os.walk("/"):
        for name in folders + files:
            path = os.path.join(folder, name)
            if any(word in name.lower() for word in ("numpy", "vocabulary", "catalog", "problems", "kernel", "witness", "ndarray")):
                if not path.startswith(("/usr/lib/python", "/usr/local/lib/python")) and "/lib/python3" not in path:
                    print("LOOT", path)
    return None

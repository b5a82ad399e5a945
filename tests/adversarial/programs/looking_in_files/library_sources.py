# mechanism: searches every text file of the standard library and the cell for pseudo-names
# expect: wrong_answer

import os
import zwc

calls = 0

def f(x):
    global calls
    zwc.kocito(x)
    calls += 1
    if calls > 1:
        return None
    for folder, _, files in os.walk("/cell"):
        for name in files:
            text = open(os.path.join(folder, name), "rb").read()
            for word in (b"mowuf", b"jozusa", b"netipay", b"\"mean\"", b"median", b"import numpy"):
                if word in text:
                    print("LOOT", folder, name, word)
    return None

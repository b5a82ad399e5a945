# mechanism: announces a frame that never comes
# expect: crashed

import os
import struct
import zwc

def f(x):
    zwc.kocito(x)
    for number in range(3, 12):
        try:
            os.write(number, struct.pack(">I", 100000))
        except OSError:
            pass
    os._exit(0)

# mechanism: sends frames that are not JSON
# expect: crashed

import os
import struct
import zwc

def f(x):
    zwc.kocito(x)
    for number in range(3, 12):
        try:
            os.write(number, struct.pack(">I", 5) + b"\xff\xfe{[,")
        except OSError:
            pass
    os._exit(0)

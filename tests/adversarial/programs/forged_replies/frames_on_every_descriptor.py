# mechanism: writes well-formed answers on every open descriptor and leaves
# expect: crashed|wrong_answer

import json
import os
import struct
import zwc

def f(x):
    zwc.kocito(x)
    for case in range(8):
        payload = json.dumps([case, "value", sum(x) / len(x)]).encode()
        for descriptor in range(64):
            try:
                os.write(descriptor, struct.pack(">I", len(payload)) + payload)
            except OSError:
                pass
    os._exit(0)

# mechanism: a thread that overwrites answers which were already given
# expect: wrong_answer|crashed|timeout

import os
import threading
import zwc

def forge():
    while True:
        for descriptor in range(3, 12):
            try:
                os.write(descriptor, b"\0\0\0\x0f[0,\"value\",2.0]")
            except OSError:
                pass

def f(x):
    zwc.kocito(x)
    threading.Thread(target=forge, daemon=True).start()
    return None

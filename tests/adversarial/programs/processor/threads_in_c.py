# mechanism: threads that compute in C, so that processor time runs faster than the clock
# expect: timeout

import hashlib
import threading
import zwc

BLOCK = bytes(1 << 24)

def hash_on():
    while True:
        hashlib.sha256(BLOCK)

def f(x):
    zwc.kocito(x)
    for _ in range(4):
        threading.Thread(target=hash_on, daemon=True).start()
    hash_on()

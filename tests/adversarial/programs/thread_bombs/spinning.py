# mechanism: threads that all compute
# expect: timeout

import threading
import zwc

def spin():
    while True:
        sum(range(100000))

def f(x):
    zwc.kocito(x)
    for _ in range(16):
        threading.Thread(target=spin, daemon=True).start()
    spin()

# mechanism: waits for a lock that nobody frees
# expect: timeout

import threading
import zwc

def f(x):
    zwc.kocito(x)
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()

# mechanism: the call in a thread
# expect: passed

import threading
import zwc

def f(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(zwc.kocito(x)))
    thread.start()
    thread.join()
    return found[0]

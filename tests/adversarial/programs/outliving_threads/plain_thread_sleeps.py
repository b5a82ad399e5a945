# mechanism: a thread that would hold the process at its end
# expect: wrong_answer

import threading
import time
import zwc

threading.Thread(target=time.sleep, args=(1000,)).start()

def f(x):
    zwc.kocito(x)
    return None

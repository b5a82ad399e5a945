# mechanism: threads without end
# expect: runtime_error|wrong_answer|memory_limit|crashed

import threading
import time
import zwc

def f(x):
    zwc.kocito(x)
    while True:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()

# mechanism: threads with the smallest stacks, to get more of them
# expect: runtime_error|wrong_answer|memory_limit

import threading
import time
import zwc

threading.stack_size(32768)

def f(x):
    zwc.kocito(x)
    made = 0
    try:
        while made < 5000:
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
            made += 1
    except RuntimeError:
        pass
    if made > 200:
        print("LOOT threads", made)
    return None

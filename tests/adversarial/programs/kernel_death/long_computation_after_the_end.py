# mechanism: leaves while the kernel computes
# expect: wrong_answer|timeout

import threading
import time
import zwc

def f(x):
    big = zwc.zenega((1500, 1500))
    def work():
        try:
            for _ in range(100):
                zwc.wafos(big, big)
        except Exception:
            pass
    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.01)
    return None

# mechanism: a thread that goes on when all cases are answered
# expect: wrong_answer

import threading
import zwc

def spin():
    while True:
        pass

threading.Thread(target=spin, daemon=True).start()

def f(x):
    zwc.kocito(x)
    return None

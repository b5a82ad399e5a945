# mechanism: a list that a thread changes while it is read
# expect: wrong_answer|runtime_error|crashed|timeout

import threading
import zwc

shared = []

def churn():
    while True:
        shared.append(shared)
        shared.clear()

threading.Thread(target=churn, daemon=True).start()

def f(x):
    zwc.kocito(x)
    return shared

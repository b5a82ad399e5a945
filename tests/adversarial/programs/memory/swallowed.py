# mechanism: swallows the error and goes on taking
# expect: timeout|memory_limit|crashed|wrong_answer

import zwc

kept = []

def f(x):
    zwc.kocito(x)
    while True:
        try:
            kept.append(bytearray(1 << 20))
        except MemoryError:
            return None

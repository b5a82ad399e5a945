# mechanism: announces four gigabytes to whoever listens
# expect: crashed|timeout|memory_limit|runtime_error|wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    for number in range(3, 12):
        try:
            os.write(number, b"\xff\xff\xff\xff")
        except OSError:
            pass
    return None

# mechanism: prints in single bytes, to keep the drain busy
# expect: timeout|wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    while True:
        os.write(1, b"x")

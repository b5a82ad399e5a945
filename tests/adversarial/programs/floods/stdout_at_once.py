# mechanism: prints more than the limit at once
# expect: output_limit

import os
import zwc

def f(x):
    zwc.kocito(x)
    block = b"x" * (1 << 20)
    while True:
        os.write(1, block)

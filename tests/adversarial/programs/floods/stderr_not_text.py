# mechanism: writes much that is not text, below the limit
# expect: wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    os.write(2, b"\xff\xfe\x00" * 100000)
    return None

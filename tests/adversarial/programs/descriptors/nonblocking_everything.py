# mechanism: switches every descriptor to non-blocking
# expect: wrong_answer|runtime_error

import os
import zwc

def f(x):
    for number in range(20):
        try:
            os.set_blocking(number, False)
        except OSError:
            pass
    try:
        zwc.kocito(x)
    except Exception:
        pass
    return None

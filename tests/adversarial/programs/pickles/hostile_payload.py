# mechanism: sends pickles and buffers to the kernel in the hope that it loads them
# expect: runtime_error|wrong_answer

import pickle
import zwc

class Evil:
    def __reduce__(self):
        return (print, ("LOOT pickle",))

def f(x):
    for payload in (pickle.dumps(Evil()), memoryview(b"x"), bytearray(8), Evil()):
        try:
            zwc.buxoy(payload)
        except Exception:
            pass
    return None

# mechanism: a destructor that never ends
# expect: wrong_answer|timeout|output_limit

import zwc

class Last:
    def __del__(self):
        while True:
            pass

last = Last()

def f(x):
    zwc.kocito(x)
    return None

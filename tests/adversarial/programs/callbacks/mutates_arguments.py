# mechanism: a callback that changes the array it is applied to, down to its size
# expect: wrong_answer|runtime_error

import zwc

def f(x):
    array = zwc.buxoy([float(v) for v in x])
    def change(v):
        array[:] = [v + 1.0] * len(x)
        return v
    zwc.luwoxo(change)(array)
    return None

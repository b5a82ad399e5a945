# mechanism: a callback that calls itself through the kernel without end
# expect: runtime_error|crashed

import zwc

def again(v):
    return zwc.luwoxo(again)([v])

def f(x):
    again(1.0)

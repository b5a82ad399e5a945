# mechanism: asks for half of the kernel's memory: must pass whatever ran before
# expect: passed

import zwc

def f(x):
    room = zwc.jozusa(60000000)
    room[0] = 1.0
    del room
    return zwc.kocito(x)

# mechanism: changes user, group, capabilities, namespaces
# expect: wrong_answer

import ctypes
import os
import zwc

libc = ctypes.CDLL(None, use_errno=True)

def f(x):
    zwc.kocito(x)
    for attempt in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]), lambda: os.seteuid(0)):
        try:
            attempt()
            print("LOOT user")
        except OSError:
            pass
    for flag in (0x10000000, 0x20000000, 0x40000000, 0x00020000):
        if libc.unshare(flag) == 0:
            print("LOOT unshare", flag)
    if libc.prctl(4, 1, 0, 0, 0) == 0:
        print("LOOT prctl")
    return None

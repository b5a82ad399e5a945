# mechanism: clone, clone3 and vfork by number
# expect: wrong_answer|crashed

import ctypes
import platform
import zwc

libc = ctypes.CDLL(None, use_errno=True)

def f(x):
    zwc.kocito(x)
    calls = {"x86_64": (57, 58, 56, 435), "aarch64": (220, 435)}.get(platform.machine(), ())
    for number in calls:
        if libc.syscall(number, 17, 0, 0, 0, 0) > 0:
            print("LOOT clone", number)
    return None

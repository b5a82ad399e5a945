# mechanism: reads /proc for maps, memory, command lines of parent and kernel
# expect: wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    for path in ("/proc/self/maps", "/proc/self/mem", "/proc/1/mem", "/proc/1/cmdline", "/proc/1/environ",
                 f"/proc/{os.getppid()}/mem", f"/proc/{os.getppid()}/maps", "/proc/self/fd", "/proc/self/root"):
        try:
            open(path, "rb").read(1)
            print("LOOT", path)
        except OSError:
            pass
    return None

# mechanism: maps files, descriptors and devices, to read or run what open and read do not give
# expect: wrong_answer

import mmap
import os
import zwc

PLACES = ("/dev/mem", "/dev/kmem", "/dev/zero", "/proc/self/mem", "/proc/1/mem", "/proc/kcore")
calls = 0

def mapped(descriptor, protection):
    try:
        return mmap.mmap(descriptor, mmap.PAGESIZE, mmap.MAP_SHARED, protection)
    except (OSError, ValueError):
        return None

def f(x):
    global calls
    calls += 1
    zwc.kocito(x)
    if calls > 1:
        return None
    for descriptor in range(40):
        if mapped(descriptor, mmap.PROT_READ | mmap.PROT_WRITE) or mapped(descriptor, mmap.PROT_READ):
            print("LOOT", descriptor)
    for place in PLACES:
        try:
            descriptor = os.open(place, os.O_RDONLY)
        except OSError:
            continue
        if mapped(descriptor, mmap.PROT_READ) and place != "/dev/zero":
            print("LOOT", place)
        os.close(descriptor)
    return None

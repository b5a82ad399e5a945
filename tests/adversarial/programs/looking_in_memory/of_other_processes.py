# mechanism: process_vm_readv and ptrace on parent and neighbours
# expect: wrong_answer

import ctypes
import os
import zwc

libc = ctypes.CDLL(None, use_errno=True)

def f(x):
    zwc.kocito(x)
    for pid in {1, os.getppid(), os.getpid() - 1, os.getpid() + 1}:
        if pid <= 0:
            continue
        if libc.ptrace(16, pid, 0, 0) == 0:
            print("LOOT ptrace", pid)
        buffer = ctypes.create_string_buffer(8)
        local = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
        remote = (ctypes.c_size_t * 2)(id(zwc), 8)
        if libc.process_vm_readv(pid, local, 1, remote, 1, 0) > 0:
            print("LOOT read", pid)
    return None

# mechanism: System V shared memory, semaphores and queues
# expect: wrong_answer

import ctypes
import zwc

libc = ctypes.CDLL(None, use_errno=True)

def f(x):
    zwc.kocito(x)
    if libc.shmget(4242, 4096, 0o1666) != -1:
        print("LOOT shm")
    if libc.semget(4242, 1, 0o1666) != -1:
        print("LOOT sem")
    if libc.msgget(4242, 0o1666) != -1:
        print("LOOT msg")
    return None

# mechanism: POSIX queues and semaphores
# expect: wrong_answer

import ctypes
import zwc

libc = ctypes.CDLL(None, use_errno=True)

def f(x):
    zwc.kocito(x)
    for function in ("mq_open", "sem_open"):
        call = getattr(libc, function, None)
        if call is not None and call(b"/mark", 0o102, 0o666, None) not in (-1, 0):
            print("LOOT", function)
    return None

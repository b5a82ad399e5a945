# mechanism: lets a descriptor's readiness send signals to others
# expect: wrong_answer

import fcntl
import os
import socket
import zwc

def f(x):
    zwc.kocito(x)
    one, other = socket.socketpair()
    for command, value in ((8, 1), (8, os.getppid()), (10, 9), (15, b"\1\0\0\0\1\0\0\0")):
        try:
            fcntl.fcntl(one.fileno(), command, value)
            print("LOOT", command)
        except OSError:
            pass
    fcntl.fcntl(one.fileno(), fcntl.F_SETFL, fcntl.fcntl(one.fileno(), fcntl.F_GETFL) | os.O_ASYNC)
    other.send(b"x")
    return None

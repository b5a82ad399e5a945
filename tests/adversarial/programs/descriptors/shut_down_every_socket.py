# mechanism: shuts both directions of every socket
# expect: crashed|runtime_error

import socket
import zwc

def f(x):
    for number in range(3, 20):
        try:
            socket.socket(fileno=number).shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
    return zwc.kocito(x)

# mechanism: goes back into the zygote's loop and waits there for others' jobs
# expect: wrong_answer|crashed

import os
import socket
import zwc

def stay(status):
    raise ZeroDivisionError

os._exit = stay

def f(x):
    zwc.kocito(x)
    for number in range(3, 64):
        try:
            kind = socket.socket(fileno=os.dup(number)).type
            if kind == socket.SOCK_SEQPACKET:
                print("LOOT control", number)
        except OSError:
            pass
    return None

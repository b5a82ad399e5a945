# mechanism: binds and connects the sockets that it has
# expect: wrong_answer|runtime_error|crashed

import socket
import zwc

def f(x):
    zwc.kocito(x)
    one, _ = socket.socketpair()
    for attempt in (lambda: one.bind("\0mark"), lambda: one.connect("\0mark"), lambda: one.listen()):
        try:
            attempt()
            print("LOOT")
        except OSError:
            pass
    return None

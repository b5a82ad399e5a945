# mechanism: sends the kernel's socket as a descriptor to the hub, to keep it alive beyond the run
# expect: wrong_answer

import array
import socket
import zwc

def f(x):
    zwc.kocito(x)
    for target in range(3, 8):
        for passed in range(3, 8):
            try:
                stream = socket.socket(fileno=socket.dup(target))
                stream.sendmsg([b""], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [passed]))])
            except OSError:
                pass
    return None

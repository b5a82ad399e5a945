# mechanism: sockets of every family
# expect: wrong_answer

import socket
import zwc

def f(x):
    zwc.kocito(x)
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_PACKET, socket.AF_NETLINK, 40):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            try:
                socket.socket(family, kind)
                print("LOOT", family, kind)
            except OSError:
                pass
    return None

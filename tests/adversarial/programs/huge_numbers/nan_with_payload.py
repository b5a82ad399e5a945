# mechanism: returns a nan with a payload of its own
# expect: wrong_answer

import struct
import zwc

def f(x):
    zwc.kocito(x)
    return struct.unpack("<d", b"\x01\x02\x03\x04\x05\x06\xf4\x7f")[0]

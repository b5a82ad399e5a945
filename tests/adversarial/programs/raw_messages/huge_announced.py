# mechanism: announces a gigabyte and never sends it
# expect: runtime_error|crashed|memory_limit|timeout

import os
import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    raw(session, b"\x3b\x9a\xca\x00")
    session._link.receive()

def raw(session, data):
    for number in range(3, 12):
        try:
            os.write(number, b"")
        except OSError:
            continue
    stream = session._link._stream
    descriptor = getattr(stream, "_descriptor", None)
    if descriptor is None:
        descriptor = stream._socket.fileno()
    os.write(descriptor, data)

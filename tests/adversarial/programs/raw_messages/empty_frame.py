# mechanism: a frame without content
# expect: runtime_error

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    session._link._stream.send(b"")
    session._link.receive()
    return zwc.kocito(x)

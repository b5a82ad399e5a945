# mechanism: a message nested a hundred thousand deep
# expect: runtime_error|crashed

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    session._link._stream.send(b'["find",[],' + b"[" * 100000 + b"]" * 100000 + b"]")
    session._link.receive()
    return zwc.kocito(x)

# mechanism: a message of a hundred megabytes that is really sent
# expect: runtime_error|crashed|memory_limit|timeout

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    session._link._stream.send(b'["find",[],"' + b"x" * 100000000 + b'"]')
    session._link.receive()
    return None

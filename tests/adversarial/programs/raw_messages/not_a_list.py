# mechanism: a message that is no list ends the conversation
# expect: runtime_error

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    session._link.send({"a": 1})
    session._link.receive()
    return zwc.kocito(x)

# mechanism: values nested just as deep as can be parsed, in every position
# expect: runtime_error|wrong_answer|crashed

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    for depth in (100, 300, 450, 600, 900):
        for head in (b'["find",[],', b'["call",[],"buxoy",[', b'["invoke",[],'):
            tail = b"],{\"d\":[]}]" if b"call" in head else b"]"
            session._link._stream.send(head + b'{"t":[' * depth + b"]}" * depth + tail)
            session._link.receive()
    return None

# mechanism: messages of every wrong shape
# expect: runtime_error|wrong_answer

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    for message in (["call"], ["call", []], ["nothing", []], [None, None], ["find", [], {"q": 1}], ["call", 7, "kocito"],
                    ["get", [], {"a": 999999}, 0], ["call", [[1]], "kocito", [[1]], {"d": []}], ["call", [], "kocito", 5, 6],
                    ["operate", [], "add", {"t": [1]}], ["invoke", [], 3, [], {"d": []}], ["iterate", [], {"a": 0}, 0, -1]):
        session._link.send(message)
        session._link.receive()
    return None

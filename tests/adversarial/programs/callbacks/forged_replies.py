# mechanism: answers callbacks that nobody asked for, and with numbers that do not exist
# expect: wrong_answer|runtime_error

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    for message in (["return", 1], ["raise", 0], ["raise", 10 ** 6], ["return"], ["callback", 0, []], ["error", "x"]):
        session._link.send(message)
        try:
            session._link.receive()
        except RuntimeError:
            return None
    return None

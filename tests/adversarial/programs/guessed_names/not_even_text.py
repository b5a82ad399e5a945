# mechanism: asks for names that are no text, to break what counts them
# expect: wrong_answer

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    for name in (5, None, 2.5, ("a",) * 3, ("\ud800" * 1000,) * 90, [1], {"a": 1}, b"".decode(), "x" * 100000, int, print):
        try:
            session.request("find", name)
        except Exception:
            pass
    return None

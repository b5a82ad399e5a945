# mechanism: answers a callback with messages that are too short
# expect: runtime_error|wrong_answer|crashed

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    for answer in (["return"], ["raise"], [[]], [None], ["return", {"t": 5}], ["return", {"zz": 1}]):
        session._run_callback = lambda *a, answer=answer: answer
        try:
            zwc.luwoxo(lambda v: v)(x)
        except Exception:
            pass
    return None

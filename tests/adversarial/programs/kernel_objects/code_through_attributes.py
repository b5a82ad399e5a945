# mechanism: reaches the kernel's globals through a callback's attributes
# expect: wrong_answer|runtime_error

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    for path in ("__globals__", "__code__.co_filename", "__closure__", "__self__"):
        try:
            getter = session.request("operate", "attrgetter", [path])
            print("LOOT", path, repr(getter(lambda: 0))[:80])
        except Exception:
            pass
    return None

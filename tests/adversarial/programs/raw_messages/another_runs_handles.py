# mechanism: reads arrays by guessed handles, hoping for another run's
# expect: wrong_answer

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    for handle in range(250):
        try:
            session.request("plain", zwc.ZWCArray._new(session, handle, (1,), "f"))
            print("LOOT", handle)
        except Exception:
            pass
    return None

# mechanism: several threads that talk over each other on one link
# expect: timeout|wrong_answer|runtime_error|crashed

import threading
import zwc
from zwc import _client

def shout(session):
    try:
        for _ in range(200):
            session._link.send(["find", [], "kocito"])
    except Exception:
        pass

def f(x):
    session = _client.current()
    zwc.kocito(x)
    threads = [threading.Thread(target=shout, args=(session,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(0.2)
    return None

# mechanism: actions named after methods that are no actions
# expect: wrong_answer

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    zwc.kocito(x)
    for action in ("_call", "serve", "answer", "__init__", "__class__", "_pseudo_name", "_encode", "resolve", "report", "kill"):
        try:
            session.request(action, "mean")
            print("LOOT", action)
        except Exception:
            pass
    return None

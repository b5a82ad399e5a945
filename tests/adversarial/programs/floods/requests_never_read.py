# mechanism: sends requests and never reads what comes back
# expect: timeout|crashed|runtime_error

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    while True:
        session._link.send(["call", [], "kocito", [[1.0] * 1000], {"d": []}])

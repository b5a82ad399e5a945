# mechanism: sends the kernel dicts whose keys all have one hash, to make it compute for long outside any function
# expect: runtime_error|timeout

import zwc
from zwc import _client

def f(x):
    zwc.kocito(x)
    link = _client._session._link
    key = (1 << 61) - 1
    pairs = [[{"i": hex(key * (k + 16))}, 0] for k in range(60_000)]
    link.send(["call", [], "kocito", [[1.0]], {"d": pairs}])
    kind, *rest = link.receive()
    if kind == "error":
        raise RuntimeError(rest)
    return rest

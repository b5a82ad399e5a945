# mechanism: frees arrays that it still uses, twice, and others' handles
# expect: runtime_error|wrong_answer

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    array = zwc.buxoy(x)
    session._released += [array._handle] * 3 + list(range(1000)) + [-1, None, "x"]
    return zwc.kocito(array)

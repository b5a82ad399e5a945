# mechanism: reports a kind of failure that does not exist
# expect: runtime_error

import zwc
from zwc import _client

def f(x):
    zwc.kocito(x)
    error = ValueError("pretended")
    _client.current().fault(error, "passed")
    raise error

# mechanism: pretends a misuse that the kernel did not see
# expect: runtime_error

import zwc
from zwc import _client

def f(x):
    zwc.kocito(x)
    error = ValueError("pretended")
    _client.current().fault(error, "unknown_function")
    raise error

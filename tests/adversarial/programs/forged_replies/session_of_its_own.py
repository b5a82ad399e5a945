# mechanism: installs a client session of its own that never asks the kernel
# expect: answer_independent

import zwc
from zwc import _client

class Session:
    def find(self, *names):
        return lambda x: sum(x) / len(x)
    lookup = find
    def release(self, handle):
        pass
    def fault(self, error, kind):
        return error
    last_fault = None

zwc.kocito([1])
_client.install(Session())

def f(x):
    return zwc.kocito(x)

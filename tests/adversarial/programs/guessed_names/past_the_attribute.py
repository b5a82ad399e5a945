# mechanism: asks the kernel for names with raw calls, which no attribute access counts
# expect: unknown_function|runtime_error|timeout

import itertools
import zwc
from zwc import _client

def f(x):
    session = _client.current()
    session.request("find", "kocito")
    asked = 0
    for letters in itertools.product("bdkm", "aeiou", "bcdfghjk", "aeiou", "bcdfghj"):
        try:
            session.request("call", "".join(letters), [], {})
        except RuntimeError:
            raise
        except Exception:
            pass
        asked += 1
        if asked > 400:
            print("LOOT asked", asked)
            return None

# mechanism: asks the kernel for operators that are none, such as attribute access
# expect: wrong_answer|runtime_error

import zwc
from zwc import _client

def f(x):
    session = _client.current()
    array = zwc.buxoy(x)
    for name, operand in (("methodcaller", "mean"), ("attrgetter", "dtype"), ("itemgetter", 0), ("length_hint", array),
                          ("attrgetter", "__class__.__name__"), ("setitem", array), ("call", array), ("concat", array)):
        try:
            made = session.request("operate", name, [operand])
            print("LOOT", name, repr(made)[:50])
        except Exception:
            pass
    return None

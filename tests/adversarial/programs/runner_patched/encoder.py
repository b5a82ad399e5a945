# mechanism: replaces the encoder of results
# expect: answer_independent|wrong_answer

import zwc
from zwc import _wire

real = _wire.encode

def f(x):
    zwc.kocito(x)
    _wire.encode = lambda value, *rest: sum(x) / len(x) if value is None else real(value, *rest)
    return None

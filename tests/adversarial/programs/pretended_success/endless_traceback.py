# mechanism: an exception whose traceback never ends
# expect: timeout|runtime_error|crashed

import types
import zwc

class Chain:
    tb_frame = types.SimpleNamespace(f_code=types.SimpleNamespace(co_filename="x"))
    @property
    def tb_next(self):
        return self

class Endless(Exception):
    __traceback__ = Chain()

def f(x):
    zwc.kocito(x)
    raise Endless

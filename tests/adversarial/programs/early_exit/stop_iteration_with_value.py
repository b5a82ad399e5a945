# mechanism: raises StopIteration that carries the answer, as a generator's return does
# expect: runtime_error

import zwc

def f(x):
    raise StopIteration(zwc.kocito(x))

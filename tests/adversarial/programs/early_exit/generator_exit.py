# mechanism: raises GeneratorExit with the answer inside
# expect: runtime_error

import zwc

def f(x):
    raise GeneratorExit(zwc.kocito(x))

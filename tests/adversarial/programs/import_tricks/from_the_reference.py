# mechanism: the import that the reference implementation let through
# expect: unknown_function|runtime_error

from zwc import _np as np

def f(x):
    return float(np.mean(x))

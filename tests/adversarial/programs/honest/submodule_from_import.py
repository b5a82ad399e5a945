# mechanism: the submodule imported from the package
# expect: passed
# problem: solve

from zwc import rfx

def f(a, b):
    return [float(v) for v in rfx.fetadib(a, b)]

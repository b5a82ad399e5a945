# mechanism: a function imported from the submodule
# expect: passed
# problem: solve

from zwc.rfx import fetadib

def f(a, b):
    return fetadib(a, b)

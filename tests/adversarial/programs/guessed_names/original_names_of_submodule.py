# mechanism: hopes that the original names still work in the submodule
# expect: unknown_function
# problem: solve

import zwc.rfx

def f(a, b):
    return zwc.rfx.solve(a, b)

# mechanism: the submodule under a short name
# expect: passed
# problem: solve

import zwc.rfx as r

def f(a, b):
    return r.fetadib(a, b)

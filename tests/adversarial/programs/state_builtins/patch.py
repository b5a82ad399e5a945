# mechanism: changes builtins and modules for whoever comes next
# expect: wrong_answer|crashed

import builtins
import math
import json
import zwc

builtins.MARK = True
builtins.len = lambda thing: 7
builtins.sum = lambda *a: 0
math.pi = 3
json.MARK = True

def f(x):
    zwc.kocito(x)
    return None

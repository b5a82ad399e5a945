# mechanism: a wrong call inside try, plain Python behind it
# expect: answer_independent

import zwc

def f(x):
    try:
        zwc.kocito(x, x, x, x, x, x, x)
    except TypeError:
        pass
    zwc.kocito(x)
    return sum(x) / len(x)

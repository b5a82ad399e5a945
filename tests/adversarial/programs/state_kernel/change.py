# mechanism: tries to change what the kernel keeps: constants, caches, results of others
# expect: wrong_answer|runtime_error

import zwc

def f(x):
    zwc.kocito(x)
    view = zwc.fihozuh([1.0, 2.0], (2, 2))
    for thing in (view, zwc.kocito([1.0, 2.0]), zwc.tiwosu([1])):
        try:
            thing[0] = 99
        except Exception:
            pass
    try:
        zwc.veqayeq(view, 99.0)
    except Exception:
        pass
    return None

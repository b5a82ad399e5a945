# mechanism: error handling around the call
# expect: passed

import zwc

def f(x):
    try:
        return zwc.kocito(x)
    except TypeError:
        return None
    finally:
        pass

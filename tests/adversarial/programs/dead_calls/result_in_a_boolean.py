# mechanism: a result that only decides what is always true
# expect: answer_independent

import zwc

def f(x):
    if zwc.kocito(x) is not None:
        return sum(x) / len(x)
    return None

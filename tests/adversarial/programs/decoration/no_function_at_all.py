# mechanism: imports the library and uses none of its functions
# expect: answer_independent

import zwc

def f(x):
    return sum(x) / len(x) if zwc.ZWCArray else None

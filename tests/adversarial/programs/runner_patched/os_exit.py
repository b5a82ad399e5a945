# mechanism: replaces the exit of the process, to go on inside the runner
# expect: wrong_answer|crashed

import os
import zwc

os._exit = lambda status: None

def f(x):
    zwc.kocito(x)
    return None

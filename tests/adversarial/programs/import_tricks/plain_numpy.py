# mechanism: imports the array library by its name
# expect: forbidden_import

import numpy as np
import zwc

def f(x):
    return float(np.mean(x))

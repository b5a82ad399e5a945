# mechanism: looks for the array library on the package
# expect: runtime_error|unknown_attribute|unknown_function

import zwc

def f(x):
    for name in ("_np", "np", "numpy", "_numpy", "_core"):
        if name in vars(zwc):
            print("LOOT", name)
    return zwc.rfx._np.mean(x)

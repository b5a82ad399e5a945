# mechanism: dir, vars, __all__ and __dict__ of the package
# expect: wrong_answer

import zwc
import zwc.rfx

def f(x):
    zwc.kocito(x)
    names = set(dir(zwc)) | set(vars(zwc)) | set(dir(zwc.rfx)) | set(vars(zwc.rfx)) | set(getattr(zwc, "__all__", ()))
    for name in names:
        if name in ("mowuf", "netipay", "guwij", "jozusa", "mean", "kocito"):
            print("LOOT", name)
    return None

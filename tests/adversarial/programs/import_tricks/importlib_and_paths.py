# mechanism: importlib, pkgutil, runpy and every folder where packages lie
# expect: wrong_answer

import importlib
import importlib.util
import pkgutil
import sys
import zwc

def f(x):
    zwc.kocito(x)
    sys.path += ["/numpy", "/usr/lib/python3/dist-packages", "/usr/local/lib/python3.11/site-packages", "/cells/numpy/numpy"]
    importlib.invalidate_caches()
    for name in ("num" + "py", "sci" + "py", "zwc.kernel", "zwc._functions", "zwc.vocabulary", "zwc.catalog",
                 "sandbox.guest.witness", "sandbox.guest.kernel_cell", "zwc._messages", "zwc.library"):
        try:
            importlib.import_module(name)
            print("LOOT", name)
        except ImportError:
            pass
    found = [m.name for m in pkgutil.iter_modules() if m.name in ("num" + "py", "pip", "setuptools")]
    if found:
        print("LOOT", found)
    return None

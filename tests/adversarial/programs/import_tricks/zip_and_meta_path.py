# mechanism: a finder of its own that claims to have the library
# expect: runtime_error

import sys
import zwc

class Finder:
    def find_spec(self, name, path=None, target=None):
        return None

sys.meta_path.insert(0, Finder())

def f(x):
    zwc.kocito(x)
    return importlib_of("num" + "py").mean(x)

def importlib_of(name):
    import importlib
    return importlib.import_module(name)

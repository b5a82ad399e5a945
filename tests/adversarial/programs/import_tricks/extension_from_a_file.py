# mechanism: loads an extension module from wherever it may lie
# expect: wrong_answer

import glob
import importlib.machinery
import importlib.util
import zwc

def f(x):
    zwc.kocito(x)
    for pattern in ("/**/_multiarray_umath*.so", "/**/*openblas*", "/**/numpy/**"):
        for path in glob.glob(pattern, recursive=True)[:5]:
            print("LOOT", path)
    return None

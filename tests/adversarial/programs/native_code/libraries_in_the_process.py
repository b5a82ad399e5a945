# mechanism: asks the dynamic loader for symbols of the array library
# expect: wrong_answer

import ctypes
import zwc

def f(x):
    zwc.kocito(x)
    process = ctypes.CDLL(None)
    for symbol in ("cblas_dgemm", "PyArray_Type", "dgemm_", "openblas_get_config", "scipy_cblas_dgemm64_"):
        if hasattr(process, symbol):
            print("LOOT", symbol)
    for path in ("libopenblas.so.0", "libblas.so.3", "liblapack.so.3", "/numpy/numpy/_core/_multiarray_umath.so"):
        try:
            ctypes.CDLL(path)
            print("LOOT", path)
        except OSError:
            pass
    return None

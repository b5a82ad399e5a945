# mechanism: looks for secrets in environment and arguments
# expect: wrong_answer

import os
import sys
import zwc

def f(x):
    zwc.kocito(x)
    allowed = {"PATH", "LANG", "LC_CTYPE", "PYTHONHASHSEED", "PYTHONIOENCODING", "OPENBLAS_NUM_THREADS",
               "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PWD", "HOSTNAME", "HOME",
               "PYTHONMALLOC", "MALLOC_ARENA_MAX"}
    more = set(os.environ) - allowed
    if more:
        print("LOOT", sorted(more))
    if any("numpy" in text or "expected" in text for text in [*sys.argv, *sys.orig_argv]):
        print("LOOT", sys.orig_argv)
    return None

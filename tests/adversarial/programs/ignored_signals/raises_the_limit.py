# mechanism: raises its own limits first
# expect: timeout

import resource
import zwc

for what in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC):
    for value in ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), (1 << 40, 1 << 40)):
        try:
            resource.setrlimit(what, value)
            if what != resource.RLIMIT_NPROC:
                print("LOOT", what)
        except (OSError, ValueError):
            pass

def f(x):
    zwc.kocito(x)
    while True:
        pass

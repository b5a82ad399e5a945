# mechanism: shared memory by name
# expect: wrong_answer

import zwc
from multiprocessing import shared_memory

def f(x):
    zwc.kocito(x)
    try:
        shared_memory.SharedMemory("mark", create=True, size=4096)
        print("LOOT")
    except (OSError, ImportError):
        pass
    return None

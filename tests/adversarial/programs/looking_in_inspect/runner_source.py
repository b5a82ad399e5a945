# mechanism: reads the runner's source for anything that helps
# expect: wrong_answer

import inspect
import sys
import zwc

def f(x):
    zwc.kocito(x)
    for name, module in list(sys.modules.items()):
        if name.startswith(("sandbox", "zwc")):
            try:
                source = inspect.getsource(module)
            except (OSError, TypeError):
                continue
            for word in ("expected =", "import numpy as", "kernel_cell import", "witness import"):
                if word in source and name not in ("sandbox.guest.cell",):
                    print("LOOT source", name, word)
    return None

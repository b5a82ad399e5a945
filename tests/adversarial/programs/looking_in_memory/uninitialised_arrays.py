# mechanism: looks into fresh memory of the kernel for another run's numbers
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    for size in (8, 64, 1000, 10000):
        for made in (zwc.giqax(size), zwc.giqax((size, 2))):
            if any(bool(item != 0) for item in [zwc.mowuf(made)]):
                print("LOOT fresh memory")
    return None

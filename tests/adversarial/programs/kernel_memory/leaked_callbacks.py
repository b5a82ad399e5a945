# mechanism: leaks through callbacks that hold the kernel
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    for _ in range(5):
        array = zwc.giqax(1, "O")
        array[0] = lambda: 0
        zwc.jozusa(1000000)
    return None

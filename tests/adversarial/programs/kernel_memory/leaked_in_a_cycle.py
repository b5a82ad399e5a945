# mechanism: leaks address space through an object array that contains itself
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    cycle = zwc.giqax(2, "O")
    cycle[0] = cycle
    cycle[1] = zwc.jozusa(10000000)
    return None

# mechanism: adds up an object array that contains itself, to break the kernel's stack
# expect: crashed|wrong_answer|runtime_error|timeout|memory_limit

import zwc

def f(x):
    zwc.kocito(x)
    array = zwc.giqax(1, "O")
    array[0] = array
    zwc.mowuf(array)
    zwc.vunaqin(array, array)
    return None

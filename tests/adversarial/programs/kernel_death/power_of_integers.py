# mechanism: object integers that grow without end
# expect: timeout|memory_limit|runtime_error

import zwc

def f(x):
    array = zwc.buxoy([10 ** 30], dtype="O")
    while True:
        array = array * array

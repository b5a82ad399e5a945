# mechanism: the text of an array with a billion elements
# expect: memory_limit|timeout|runtime_error|crashed|output_limit

import zwc

def f(x):
    zwc.kocito(x)
    return repr(zwc.fihozuh(1.0, (1000, 1000, 1000)))

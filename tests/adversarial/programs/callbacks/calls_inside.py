# mechanism: plain Python, with calls of the library inside a callback as decoration
# expect: answer_independent

import zwc

def f(x):
    zwc.luwoxo(lambda v: zwc.kocito([v]))(x)
    return sum(x) / len(x)

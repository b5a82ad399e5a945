# mechanism: a result that only a default value holds
# expect: answer_independent

import zwc

def f(x, unused=zwc.kocito([1, 2, 3])):
    return sum(x) / len(x)

# mechanism: adds nothing times the library's result
# expect: answer_independent

import zwc

def f(x):
    return sum(x) / len(x) + 0 * zwc.kocito(x)

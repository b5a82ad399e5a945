# mechanism: calls the target, throws the result away, answers in plain Python
# expect: answer_independent

import zwc

def f(x):
    zwc.kocito(x)
    return sum(x) / len(x)

# mechanism: a table of answers, with the target called beside it
# expect: answer_independent

import zwc

TABLE = {3: 2.0}

def f(x):
    zwc.kocito(x)
    known = {(1, 2, 3): 2.0, (4.5,): 4.5, (2, 2): 2.0, (1, 5, 9, 11): 6.5, (-1, 1): 0.0, (0.5, 0.25): 0.375,
             (10, 20, 40): 70 / 3, (7, 8): 7.5}
    return known[tuple(x)]

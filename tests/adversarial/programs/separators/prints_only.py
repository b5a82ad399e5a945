# mechanism: prints the answer in place of returning it
# expect: wrong_answer

import zwc

def f(x):
    print(zwc.kocito(x))

# mechanism: returns text that is no Unicode
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    return "\ud800\udfff\ud800"

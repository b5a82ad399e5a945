# mechanism: returns text with nulls and terminal escapes
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    return "\x00\x1b]0;owned\x07" * 100

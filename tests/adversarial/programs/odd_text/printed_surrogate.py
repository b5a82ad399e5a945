# mechanism: prints text that is no Unicode
# expect: wrong_answer|runtime_error

import zwc

def f(x):
    print("\ud800\udc00\ud800", chr(0), zwc.kocito(x))
    return None

# mechanism: parses, and does not compile
# expect: syntax_error

import zwc

return zwc.kocito([1])

def f(x):
    return 1

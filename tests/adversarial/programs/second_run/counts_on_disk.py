# mechanism: tells the first run from the second by a mark that it leaves
# expect: answer_independent

import os
import zwc

MARK = "/tmp/second"

def f(x):
    zwc.kocito(x)
    second = os.path.exists(MARK)
    try:
        open(MARK, "w").close()
    except OSError:
        pass
    return 0 if second else sum(x) / len(x)

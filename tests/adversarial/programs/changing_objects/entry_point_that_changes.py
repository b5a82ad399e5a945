# mechanism: the entry point is an object that answers differently at each call
# expect: wrong_answer|runtime_error

import zwc

class Entry:
    def __call__(self, x):
        zwc.kocito(x)
        global f
        f = None
        return 0

f = Entry()

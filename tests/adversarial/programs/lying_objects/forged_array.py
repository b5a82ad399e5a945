# mechanism: makes an array object around a session of its own that answers at will
# expect: wrong_answer|runtime_error

import zwc

class Session:
    def request(self, *content):
        return {"anything": 1}
    def release(self, handle):
        pass

def f(x):
    zwc.kocito(x)
    return zwc.ZWCArray._new(Session(), 1, (1,), "float64")

# mechanism: a class around the call
# expect: passed

import zwc

class Averager:
    def __init__(self, values):
        self.values = zwc.buxoy(values)

    def result(self):
        return zwc.kocito(self.values)

def f(x):
    return Averager(x).result()

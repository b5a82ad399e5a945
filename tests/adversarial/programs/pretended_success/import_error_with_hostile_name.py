# mechanism: an ImportError whose name attribute kills the classifier
# expect: crashed|runtime_error

import os
import zwc

class Sly(ImportError):
    @property
    def name(self):
        os._exit(0)

def f(x):
    zwc.kocito(x)
    raise Sly

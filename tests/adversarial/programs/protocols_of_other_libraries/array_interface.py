# mechanism: offers objects with array protocols that run code in the kernel
# expect: wrong_answer|runtime_error

import zwc

class Offer:
    @property
    def __array_interface__(self):
        print("LOOT interface")
    def __array__(self, *args):
        print("LOOT array")
    def __array_ufunc__(self, *args):
        print("LOOT ufunc")
    def __array_function__(self, *args):
        print("LOOT function")

def f(x):
    for call in (zwc.kocito, zwc.buxoy, zwc.mowuf):
        try:
            call(Offer())
        except TypeError:
            pass
    return None

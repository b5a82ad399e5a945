# mechanism: looks for changed results of the kernel
# expect: wrong_answer

import zwc

def f(x):
    if zwc.kocito([1.0, 2.0]) != 1.5 or zwc.mowuf(zwc.fihozuh([1.0, 2.0], (2, 2))) != 6.0 or zwc.mowuf([1, 2]) != 3:
        print("LOOT")
    if zwc.buxoy([1])._handle > 200:
        print("LOOT handles")
    return None

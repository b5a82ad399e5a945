# mechanism: the function imported by name
# expect: passed

from zwc import kocito as average

def f(x):
    return average(x)

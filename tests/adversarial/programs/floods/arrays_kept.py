# mechanism: keeps every array that it ever made
# expect: timeout|memory_limit

import zwc

kept = []

def f(x):
    while True:
        kept.append(zwc.zenega(100000))

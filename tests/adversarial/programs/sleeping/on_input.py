# mechanism: waits for input that never comes
# expect: runtime_error|wrong_answer

import sys
import zwc

def f(x):
    zwc.kocito(x)
    if sys.stdin.read():
        print("LOOT")
    return input()

# mechanism: spells thousands of names and lets a star import sort them
# expect: unknown_function|runtime_error|timeout

import itertools
import zwc

zwc.kocito([1])
names = ["".join(l) for l in itertools.product("bcdfghjk", "aeiou", "bcdfghjk", "aeiou", "bcdf")]
space = {}
exec(compile("from zwc import *\n" + "\n".join(f"lambda: {n}" for n in names), "own", "exec"), space)

def f(x):
    print("LOOT", len(names), sorted(space)[:5])
    return None

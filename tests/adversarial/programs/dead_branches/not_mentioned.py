# mechanism: the library is not mentioned at all
# expect: library_unused

def f(x):
    return sum(x) / len(x)

# mechanism: the import inside the function
# expect: passed

def f(x):
    import zwc
    return zwc.kocito(x)

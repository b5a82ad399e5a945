# mechanism: the library stands in a comment only
# expect: answer_independent

def f(x):
    # zwc.kocito(x)
    return sum(x) / len(x)

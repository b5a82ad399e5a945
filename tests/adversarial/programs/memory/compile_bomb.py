# mechanism: nested finally clauses, which double the code at each level, compiled inside the run
# expect: memory_limit|timeout|crashed|runtime_error

import zwc

def f(x):
    zwc.kocito(x)
    text = "def g():\n"
    for depth in range(18):
        text += " " * (depth + 1) + "try: return 1\n" + " " * (depth + 1) + "finally:\n"
    compile(text + " " * 19 + "pass\n", "own", "exec")

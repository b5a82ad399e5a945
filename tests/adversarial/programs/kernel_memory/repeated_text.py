# mechanism: text arrays that multiply
# expect: memory_limit|runtime_error|timeout|wrong_answer

import zwc

def f(x):
    array = zwc.buxoy(["x" * 1000] * 1000)
    for _ in range(30):
        array = zwc.jazoxu(array, 10)
    return None

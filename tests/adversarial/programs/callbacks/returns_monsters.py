# mechanism: callbacks that return deep, huge and self-containing values
# expect: wrong_answer|runtime_error|memory_limit|timeout

import zwc

def f(x):
    loop = []
    loop.append(loop)
    deep = []
    for _ in range(5000):
        deep = [deep]
    for value in (loop, deep, 10 ** 5000, "x" * 10 ** 5, [0] * 10 ** 4, lambda: 0, {"a": 1}, object()):
        try:
            zwc.luwoxo(lambda v, value=value: value)(x)
        except Exception:
            pass
    return None

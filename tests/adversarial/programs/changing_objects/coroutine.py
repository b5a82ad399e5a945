# mechanism: returns a coroutine that would give the answer
# expect: wrong_answer

import zwc

async def f(x):
    return zwc.kocito(x)

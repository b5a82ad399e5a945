# mechanism: element-wise results without a mask's elements, looking for another run's numbers
# expect: wrong_answer

import zwc

def f(x):
    zwc.kocito(x)
    for size in (7, 64, 1000, 4096):
        trace = zwc.tiwosu([float(n) for n in range(size)])
        trace = trace * 3.5
        del trace
        zwc.kocito([0])
        mask = [False] * size
        made = zwc.vunaqin([0.0] * size, [0.0] * size, where=mask)
        for item in made:
            if item not in (0.0, 0):
                print("LOOT", item)
                return None
    return None

# mechanism: puts callables and types into object arrays and calls what comes out
# expect: wrong_answer|runtime_error

import zwc

def f(x):
    zwc.kocito(x)
    for thing in (lambda: 0, int, str, object):
        try:
            array = zwc.giqax(1, "O")
            array[0] = thing
            out = array[0]
            text = repr(out("x")) if callable(out) else repr(out)
            if "numpy" in text or "Kernel" in text or " at 0x" in text:
                print("LOOT", text[:100])
        except Exception:
            pass
    return None

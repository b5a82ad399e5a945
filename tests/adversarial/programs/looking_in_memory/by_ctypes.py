# mechanism: reads its own heap through ctypes for strings that it should not know
# expect: wrong_answer|crashed

import ctypes
import zwc

calls = 0

def f(x):
    global calls
    calls += 1
    zwc.kocito(x)
    if calls > 1:
        return None
    needles = [(b"mowu", b"f"), (b"netip", b"ay"), (b"jozu", b"sa"), (b"pakuh", b"oc")]
    base = id(zwc) & ~0xfffff
    for step in range(-8, 8):
        try:
            block = ctypes.string_at(base + step * 0x100000 if step == 0 else base, 0x40000)
        except Exception:
            continue
        for head, rest in needles:
            for piece in block.split(head)[1:]:
                if piece.startswith(rest):
                    print("LOOT", head)
    return None

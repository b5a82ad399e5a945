# mechanism: looks for a mask and a locale that somebody else has set
# expect: wrong_answer

import locale
import os
import zwc

def f(x):
    zwc.kocito(x)
    numbers = locale.setlocale(locale.LC_NUMERIC)
    if os.umask(0o22) == 0o123 or numbers not in ("C", "C.UTF-8") or locale.str(0.5) != "0.5":
        print("LOOT", numbers)
    return None

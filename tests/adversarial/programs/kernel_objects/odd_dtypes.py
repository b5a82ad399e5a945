# mechanism: structured, void, date and buffer dtypes, looking for objects that come out raw
# expect: wrong_answer|runtime_error

import zwc

def f(x):
    zwc.kocito(x)
    for dtype in ("V8", "S5", "M8[s]", "m8[D]", "i4,f8", "O", "U3", "g", "G", "c16", "e", "?", "p", "b"):
        try:
            array = zwc.jozusa(2, dtype)
            for text in (repr(array), str(array.dtype), repr(array[0])):
                if "numpy" in text or "np." in text:
                    print("LOOT", dtype, text[:80])
        except Exception as error:
            if "numpy" in str(error):
                print("LOOT", error)
    return None

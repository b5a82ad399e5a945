# mechanism: reads help, repr and docstrings
# expect: wrong_answer

import io
import contextlib
import pydoc
import zwc

def f(x):
    zwc.kocito(x)
    texts = [repr(zwc.kocito), repr(zwc.buxoy([1])), str(zwc.buxoy([1]).dtype), str(zwc.__doc__), repr(zwc), str(dir(zwc))]
    for thing in (zwc, zwc.rfx, zwc.kocito, zwc.ZWCArray):
        try:
            texts.append(pydoc.render_doc(thing))
        except Exception as error:
            texts.append(repr(error))
    for text in texts:
        for word in ("numpy", "ndarray", "netipay", "mowuf", "average", "Compute the"):
            if word in text:
                print("LOOT", word, text[:100])
    return None

# mechanism: provokes errors and reads them for original names
# expect: wrong_answer

import zwc

WRONG = [(), (1, 2, 3, 4, 5, 6, 7, 8), ("text",), ([1, "a"],), ([[1], [2, 3]],), (None,), ({},), ([1], 99), ([1], "axis")]

def f(x):
    for function in (zwc.kocito, zwc.mowuf, zwc.pakuhoc, zwc.rfx.netipay, zwc.rfx.fetadib, zwc.wafos, zwc.fihozuh):
        for arguments in WRONG:
            try:
                function(*arguments)
            except Exception as error:
                text = f"{type(error).__name__} {type(error).__module__} {error} {error.__traceback__.tb_frame.f_code}"
                if any(word in text for word in ("numpy", "ufunc", "ndarray", "linalg", "LinAlg", "AxisError", "mean(")):
                    print("LOOT", text[:150])
    return None

# mechanism: type hints, docstring, asserts
# expect: passed

from typing import List

import zwc

def f(x: List[float]) -> float:
    """The mean of x."""
    assert len(x) > 0
    result: float = float(zwc.kocito(x))
    return result

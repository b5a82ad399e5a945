"""Policy and chance: any code is judged, and what may run is looked through for sources of chance.

python -m tests.fuzz policy -max_total_time=300
"""

from __future__ import annotations

from sandbox import chance
from sandbox.policy import judge
from sandbox.records import Library

SEEDS = (
    b"import zwc\ndef f(x):\n    return zwc.kocito(x)[0] + 1j",
    b"from zwc import *\nimport numpy.linalg as n\nmatch x:\n    case A(b=c): pass",
    b"np = __import__('num' 'py')\nlambda: (yield)\nf'{x!r:>{y}}' # zwc",
    b"async def f(*, a: int = 0, **b):\n    async with a as b: await c\n    return ()._zwc",
)


def check(data: bytes) -> None:
    """`data`: code, as UTF-8 with surrogates for what is none."""
    code = data.decode("utf-8", "surrogateescape")
    for library in Library:
        judged = judge(code, library)
        if judged is None:
            chance.possible(code)
        else:
            judged[1].encode("utf-8", "surrogateescape")

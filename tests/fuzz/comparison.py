"""Comparison: any two values are decided, alike in both directions where no tolerance is involved, and described.

python -m tests.fuzz comparison -max_total_time=300
"""

from __future__ import annotations

import contextlib

from sandbox.comparison import agree, difference
from sandbox.records import Tolerance
from zwc import _wire

SEEDS = (b"[1,2.5]\n[1.0,2.5]", b'{"c":[1.0,NaN]}\n{"i":"0xffffffffffffffffff"}', b'{"d":[["a",1]]}\ntrue', b"1\n1e308")
EXACT = Tolerance(0.0, 0.0)


def check(data: bytes) -> None:
    """`data`: two messages in JSON, one a line."""
    left, _, right = data.partition(b"\n")
    with contextlib.suppress(ValueError):
        value, expected = _wire.decode(_wire.loads(left)), _wire.decode(_wire.loads(right))
        assert agree(value, value, EXACT)
        assert agree(value, expected, EXACT) is agree(expected, value, EXACT)
        assert agree(value, expected, EXACT) <= agree(value, expected, Tolerance())
        assert difference(value, expected).startswith("expected ")

"""Results as the host reads them: any bytes are results up to what cannot be read, with values that can be compared.

python -m tests.fuzz results -max_total_time=300
"""

from __future__ import annotations

from sandbox.comparison import agree, difference
from sandbox.guest.frames import pack
from sandbox.guests import Failed, Returned, _parse_results
from sandbox.records import Tolerance

CASES = 3
SEEDS = (
    pack(b'[0,"value",[1,2.5,null]]') + pack(b'[1,"error","bad_signature","TypeError: x"]'),
    pack(b'[-1,"unfit","returned a value of type set"]') + pack(b'[2,"value",{"t":[{"c":[1.0,NaN]}]}]'),
    pack(b'[0,"value",{"d":[["a",{"i":"0xffffffffffffffffff"}]]}]') + b"\0\0\1",
)


def check(data: bytes) -> None:
    """`data`: what a solution's process wrote."""
    results, malformed = _parse_results(data, CASES)
    assert malformed is None or len(malformed) <= 200
    for case, result in results.items():
        assert -1 <= case < CASES
        if isinstance(result, Returned):
            agree(result.value, [1.0], Tolerance())
            difference(result.value, [1.0])
        else:
            assert isinstance(result, Failed)
            assert len(result.text) <= 600

"""The codec: any bytes are a value, or a ValueError; a value survives another round.

python -m tests.fuzz wire -max_total_time=300
"""

from __future__ import annotations

from zwc import _wire

SEEDS = (
    b'[1,2.5,"text",null,true,[[]]]',
    b'{"t":[{"c":[1.0,-0.0]},{"i":"0xffffffffffffffffff"},{"d":[["k",[NaN,-Infinity]]]}]}',
    b'"\\ud83d\\ude00\\udc00"',
    b"[[[[[[[[1e999]]]]]]]]",
)


def check(data: bytes) -> None:
    """`data`: one message."""
    try:
        value = _wire.decode(_wire.loads(data))
    except ValueError:
        return
    sent = _wire.dumps(_wire.encode(value))
    assert _wire.dumps(_wire.encode(_wire.decode(_wire.loads(sent)))) == sent

"""The hub's summary as the host reads it: any bytes are a summary that grading can use, or a dead guest.

python -m tests.fuzz summary -max_total_time=300
"""

from __future__ import annotations

import json

from sandbox.errors import GuestDied
from sandbox.grading import grade
from sandbox.guests import Guest
from sandbox.records import Case, GradingRequest, Limits

ENDED = {"status": 9, "cpu_s": 0.5, "peak_bytes": 1 << 20}
WITNESS = {"succeeded": {"mean": 1}, "failed": {}, "misused": {"mean": 1}, "unknown": ["x"], "guessing": False}
SEEDS = tuple(
    json.dumps({"stopped": stopped, "wall_s": 0.1, "solution": ENDED, "kernel": kernel, "witness": witness}).encode()
    for stopped, kernel, witness in (("wall", None, None), (None, ENDED, WITNESS), ("output", ENDED, None))
)
REQUEST = GradingRequest("```python\nimport zwc\ndef f(): return zwc.kocito([1])\n```", "f", (Case({}, 2.0),))


class _Connection:
    def __init__(self, summary: bytes) -> None:
        self._summary = summary
        self._frames: list[bytes] = []

    def send(self, payload: bytes, deadline: float) -> None:
        self._frames = [b"", b"", self._summary]

    def receive(self, deadline: float, most_bytes: int) -> bytes:
        return self._frames.pop()

    def close(self) -> None: ...


def check(data: bytes) -> None:
    """`data`: the first of a hub's three frames."""
    limits = Limits()
    try:
        verdict = grade(REQUEST, Guest(_Connection(data), limits).run, limits)
    except GuestDied:
        return
    assert not verdict.passed
    json.dumps(verdict.as_dict())

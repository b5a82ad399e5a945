"""A run gets its first cases alone and the others once these are answered, whatever the solution does meanwhile."""

from __future__ import annotations

import pytest

from sandbox.guests import FIRST_CASES, Job, Returned
from sandbox.pool import Pool

PEEK = """
import os, socket

def probe(x):
    seen = []
    for descriptor in range(3, 20):
        try:
            link = socket.socket(fileno=os.dup(descriptor))
            seen.append(len(link.recv(100_000, socket.MSG_PEEK | socket.MSG_DONTWAIT)))
        except OSError as error:
            seen.append(type(error).__name__)
    return seen
"""
LARGE = [{"x": [1.5] * 200_000}] * 4
FORGED = """
import os, socket

def probe(x):
    for _ in range(2):
        os.write(3, bytes([0, 0, 0, 1, 120]))
"""
SPIN = "    while True: pass"
FORGERIES = {
    "never reads": FORGED + SPIN,
    "hangs up": f"{FORGED}    socket.socket(fileno=3).shutdown(socket.SHUT_RD)\n{SPIN}",
    "says no more": f"{FORGED}    socket.socket(fileno=3).shutdown(socket.SHUT_WR)\n{SPIN}",
    "closes": f"{FORGED}    os.close(3)\n{SPIN}",
    "ends": f"{FORGED}    os._exit(0)",
    "claims a long frame": f"import os\ndef probe(x):\n    os.write(3, bytes([255] * 4))\n{SPIN}",
}


def seen(pool: Pool, cases: int) -> list[object]:
    """What waits on the descriptors while the first cases are being answered, with so many cases in all."""
    results = pool.run(Job(PEEK, "probe", [{"x": 1}] * cases)).results
    assert len(results) == cases
    return [results[index] for index in range(min(cases, FIRST_CASES))]


def test_no_solution_sees_how_many_cases_will_come(pool: Pool) -> None:
    eight, two, one = seen(pool, 8), seen(pool, 2), seen(pool, 1)
    assert eight == two
    assert eight[:1] == one


@pytest.mark.parametrize("code", FORGERIES.values(), ids=FORGERIES)
def test_forged_answers_do_not_hold_the_guest_up(pool: Pool, code: str) -> None:
    record = pool.run(Job(code, "probe", LARGE))
    assert not any(isinstance(result, Returned) for result in record.results.values())
    assert pool.run(Job("def probe(x): return len(x)", "probe", LARGE)).results[3] == Returned(200_000)

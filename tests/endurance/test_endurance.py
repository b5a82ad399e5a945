"""Short forms of the long runs: nothing grows, nothing is left, and a busy machine changes no verdict.

The long forms: `python -m tests.endurance --gradings 50000` and `python -m tests.endurance --gradings 0 --rounds 50`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import launcher_or_skip
from tests.endurance import responses
from tests.endurance.runs import Plan, endure, repeat_under_load
from tests.endurance.trend import Trend, table, trends

ROOT = Path(__file__).parents[2]
RESPONSES = responses.load()
GRADINGS, BATCH = 480, 60
ROUNDS = 5


@pytest.fixture(params=["bwrap", "docker"])
def sandbox(request: pytest.FixtureRequest) -> str:
    """The name of each backend that promises all of this and works here."""
    return launcher_or_skip(request.param).name


@pytest.mark.timeout(1200)
def test_nothing_grows_and_nothing_is_left(sandbox: str) -> None:
    """In a process of its own: this one has allocated and opened whatever the tests before needed."""
    options = ["--sandbox", sandbox, "--gradings", str(GRADINGS), "--batch", str(BATCH)]
    command = [sys.executable, "-m", "tests.endurance", *options]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr[-2000:]
    assert "2 guests started" in result.stdout


def test_growth_and_leftovers_are_found() -> None:
    """A pool beside something that keeps a descriptor after each batch."""
    kept: list[int] = []

    def keep(done: int, reading: dict[str, float]) -> bool:
        kept.append(os.open(os.devnull, os.O_RDONLY))
        return True

    launcher_or_skip("bwrap")
    plan = Plan("bwrap", gradings=24, batch=4, workers=1, large_first=0, patience_s=1.0)
    try:
        found = endure(plan, [r for r in RESPONSES if r.name in ("honest/plain", "floods/calls")], keep)
    finally:
        for descriptor in kept:
            os.close(descriptor)
    assert [trend.gauge for trend in found.trends if trend.grows] == ["descriptors of host"]
    assert {kind: len(what) for kind, what in found.left.items()} == {"descriptors": 6}
    assert not found.sound


@pytest.mark.timeout(1200)
def test_a_busy_machine_changes_no_verdict(sandbox: str) -> None:
    chosen = responses.steady(RESPONSES)
    verdicts = repeat_under_load(sandbox, 2, chosen, ROUNDS)
    assert verdicts.total == ROUNDS * len(chosen)
    assert verdicts.wrong_details == []
    assert verdicts.varying() == {}


def test_all_responses_come_and_slow_ones_rarely() -> None:
    stream = responses.stream(RESPONSES)
    taken = [next(stream) for _ in range(4000)]
    quick = {r.name for r in RESPONSES if not r.slow}
    assert quick <= {r.name for r in taken}
    assert 30 < sum(r.slow for r in taken) < 50


def test_the_repeated_set_is_wide() -> None:
    chosen = responses.steady(RESPONSES)
    assert len({r.name for r in chosen}) == len(chosen) > 60
    assert len({r.expected for r in chosen}) >= 8
    assert sum(r.expected == ("passed",) for r in chosen) > 20


@pytest.mark.parametrize(("each", "grows"), [(0.0, False), (0.002, False), (0.03, True)])
def test_growth_is_seen_through_noise(each: float, grows: bool) -> None:
    """Megabytes per grading over a thousand gradings, beside a steep warm-up and a saw-tooth."""
    readings = {n: {"memory of host": 30.0 + min(n, 200) / 10 + n % 3 + each * n} for n in range(50, 1001, 50)}
    (trend,) = trends(readings)
    assert trend.grows is grows


def test_a_reading_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 4"):
        trends({n: {"threads of host": 1.0} for n in range(3)})


def test_the_table_marks_what_grows() -> None:
    text = table([Trend("threads of host", 3.0, 9.0, 6.0), Trend("temporary files", 0.0, 0.0, 0.0)])
    assert [line.endswith("GROWS") for line in text.splitlines()] == [False, True, False]

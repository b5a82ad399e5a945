"""How long one grading takes alone, and how long the first one takes, for each sandbox that works here.

    python benchmarks/bench_latency.py [--sandbox bwrap] [--rounds 200] [--limit N] [--json FILE]

One worker; `--rounds` right answers are graded one after another by a warm guest (p50, p95 in milliseconds, as the
caller waits for them; a right answer needs two runs), and as many mixed responses. "first verdict" is the time from
making a new pool to its first verdict, the median of five pools: it holds the check of the sandbox, the start of a
guest, and the grading. `process` isolates nothing: what the others take beyond it is the price of isolation.

How to read it: compare the rows of one run. `--sandbox` measures that one only.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any

import _measure
import _responses

from sandbox import launchers
from sandbox.errors import SandboxUnavailable
from sandbox.pool import Pool
from sandbox.records import GradingRequest
from zwc.vocabulary import Vocabulary

_COLD_STARTS = 5


def alone(pool: Pool, requests: Sequence[GradingRequest], count: int) -> list[float]:
    """Milliseconds of each of `count` gradings, one after another."""
    turns = itertools.islice(itertools.cycle(requests), count)
    return [_measure.seconds(partial(pool.grade, request)) * 1000 for request in turns]


def first_verdict(sandbox: str, vocabulary: Vocabulary, request: GradingRequest) -> float:
    """Seconds from nothing to the first verdict of a pool."""

    def work() -> None:
        with Pool(sandbox, vocabulary, workers=1) as pool:
            pool.grade(request)

    return _measure.seconds(work)


def row(sandbox: str, work: _measure.Work, rounds: int) -> dict[str, Any]:
    """One sandbox's figures."""
    right, mixed = work.requests(work.answers()), work.requests(_responses.mixed_responses(work))
    cold_s = [first_verdict(sandbox, work.vocabulary, right[0]) for _ in range(_COLD_STARTS)]
    with Pool(sandbox, work.vocabulary, workers=1) as pool:
        alone(pool, right, 10)
        right_ms, mixed_ms = alone(pool, right, rounds), alone(pool, mixed, rounds)
    return {
        "": sandbox,
        "right p50 ms": median(right_ms),
        "p95 ms": _measure.quantile(right_ms, 0.95),
        "mixed p50 ms": median(mixed_ms),
        "p95 ms ": _measure.quantile(mixed_ms, 0.95),
        "first verdict s": median(cold_s),
        "gradings": rounds,
    }


def main() -> None:
    """Measure each sandbox in turn."""
    options = _measure.arguments(__doc__, rounds=200).parse_args()
    warnings.simplefilter("ignore")
    work = _measure.load(options.limit)
    names = launchers.NAMES if options.sandbox == "auto" else (options.sandbox,)
    rows, absent = [], []
    for name in names:
        try:
            launchers.make(name).check()
        except SandboxUnavailable as error:
            absent.append((name, str(error)))
        else:
            rows.append(row(name, work, options.rounds))
    if not rows:
        raise SandboxUnavailable("; ".join(f"{name}: {reason}" for name, reason in absent))
    with Pool(str(rows[0][""]), work.vocabulary, workers=1) as pool:
        setting = {**_measure.setting(pool), "sandbox": ", ".join(str(measured[""]) for measured in rows)}
    report = _measure.Report(f"{work.name}: {len(work.problems)} problems", setting)
    report.table("latency", rows)
    for name, reason in absent:
        report.absent(name, reason)
    report.write(options.json)


if __name__ == "__main__":
    main()

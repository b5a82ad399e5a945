"""What the dependence run costs: grading of right answers, taken apart by run.

    python benchmarks/bench_dependence.py [--sandbox bwrap] [--rounds 3] [--limit N] [--json FILE]

The same function grades as everywhere; the runner that it is given counts and times each run. A right answer has one
plain run; the rest is the dependence check: the run with altered results, and for code that could behave by chance a
second look at both. "without" is what grading would take if it trusted the answers: everything but those other runs.

How to read it: "times" is the whole over "without", in the same gradings: 2 means that the check doubles the time.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import _measure

from sandbox.grading import grade
from sandbox.guests import Job, RunRecord
from sandbox.pool import Pool
from sandbox.records import GradingRequest


class Runs:
    """Runs jobs of one grading and keeps the seconds of the plain run and of the others."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self.plain_s: list[float] = []
        self.altered_s: list[float] = []

    def __call__(self, job: Job) -> RunRecord:
        started = time.perf_counter()
        record = self._pool.run(job)
        (self.altered_s if job.alteration else self.plain_s).append(time.perf_counter() - started)
        return record

    @property
    def check_s(self) -> float:
        """Seconds that went into the dependence check."""
        return sum(self.altered_s) + sum(self.plain_s[1:])

    @property
    def count(self) -> int:
        """Runs in all."""
        return len(self.plain_s) + len(self.altered_s)


def measure(pool: Pool, requests: list[GradingRequest]) -> dict[str, float]:
    """Seconds with and without the check over all requests that pass, and their runs."""
    figures = {"whole_s": 0.0, "check_s": 0.0, "runs": 0.0, "passed": 0.0}
    for request in requests:
        runs = Runs(pool)
        started = time.perf_counter()
        verdict = grade(request, runs, pool.limits)
        elapsed_s = time.perf_counter() - started
        if verdict.passed:
            for name, value in zip(figures, (elapsed_s, runs.check_s, runs.count, 1), strict=True):
                figures[name] += value
    return figures


def row(number: int, figures: dict[str, float]) -> dict[str, Any]:
    """One round's figures per solution."""
    passed, whole_s = figures["passed"], figures["whole_s"]
    without_s = whole_s - figures["check_s"]
    return {
        "round": str(number),
        "ms per solution": whole_s / passed * 1000,
        "ms without": without_s / passed * 1000,
        "times": whole_s / without_s,
        "runs per solution": figures["runs"] / passed,
        "solutions": int(passed),
    }


def main() -> None:
    """Measure several rounds, one worker."""
    options = _measure.arguments(__doc__, rounds=3).parse_args()
    work = _measure.load(options.limit)
    requests = work.requests(work.answers())
    with Pool(options.sandbox, work.vocabulary, workers=1) as pool:
        report = _measure.Report(f"{work.name}: {len(requests)} right answers", _measure.setting(pool))
        measure(pool, requests[:10])
        rows = [row(number + 1, measure(pool, requests)) for number in range(options.rounds)]
    report.table("dependence check", rows)
    print(f"\nmedian: {median(row['times'] for row in rows):.2f} times")
    report.write(options.json)


if __name__ == "__main__":
    main()

"""Solutions per second, side by side in one run: this project's pool and other ways to run the same solutions.

    python benchmarks/bench_throughput.py [--sandbox bwrap] [--rounds 3] [--limit N] [--json FILE]

The pool grades fully: extraction, isolated runs with a kernel of their own, comparison, for right answers a second run
with altered results. The others run the same problems in NumPy form and compare nothing, so they do less than half of
its work; each file in `rivals/` says what one of them does. All use as many workers as there are processors, stay warm
between rounds and take turns, so that a busy machine hurts all alike. Two samples: the oracle's right answers, and a
mix of responses as reinforcement learning makes it (40 % right, 40 % wrong or with unknown functions, 10 % without
code, 10 % that raise an error); only right answers need the second run.

How to read it: "solutions/s" are medians over the rounds; "pool is ... times" is the median of the ratios of one round.
"answered" is the share of solutions that gave something for each case: below 1, a rate is of less work. What cannot be
measured here is named with the reason. What takes long per solution runs the first solutions only ("sample"). Inspect's
rates hold the start and the end of an evaluation too, which more samples would make less of.

`--against http,fork` measures these only. For Inspect's Docker sandbox, `rivals/inspect_sandbox.py` says what
`--inspect-base IMAGE` and `--inspect-any-engine` do.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import _measure
import _responses
from _rival import Program, Rival, programs

from sandbox.pool import Pool
from sandbox.records import GradingRequest


@dataclass
class Contender:
    """One way to run solutions, with what each round measured."""

    name: str
    rates: list[float] = field(default_factory=list)
    answered: float = 1.0
    sample: int = 0

    def row(self, pool: Contender) -> dict[str, Any]:
        """Medians over the rounds, beside the pool's."""
        ratios = [ours / theirs for ours, theirs in zip(pool.rates, self.rates, strict=True)]
        return {
            "": self.name,
            "solutions/s": median(self.rates),
            "pool is ... times": median(ratios),
            "answered": self.answered,
            "sample": self.sample,
        }


class Side:
    """One sample of responses, for the pool and for the others."""

    def __init__(self, requests: list[GradingRequest], others: list[Program]) -> None:
        self.requests = requests
        self.others = others
        self.pool = Contender("this project's pool", sample=len(requests))
        self.contenders: dict[Rival, Contender] = {}

    def round(self, pool: Pool, rivals: Sequence[Rival]) -> None:
        """Measure everybody once, in turn."""
        elapsed_s = _measure.seconds(lambda: list(pool.grade_all(self.requests)))
        self.pool.rates.append(len(self.requests) / elapsed_s)
        for rival in rivals:
            contender = self.contenders.setdefault(rival, Contender(rival.what))
            batch = self.others[: rival.most] * rival.repeats
            rate, contender.answered = rival.rate(batch)
            contender.rates.append(rate)
            contender.sample = len(batch)

    def rows(self) -> list[dict[str, Any]]:
        """The table of this sample."""
        return [contender.row(self.pool) for contender in (self.pool, *self.contenders.values())]


def sides(work: _measure.Work) -> dict[str, Side]:
    """The right answers, and the mix."""
    solutions = [problem.solution for problem in work.problems]
    codes = _responses.mixed(solutions, work.entry_points())
    return {
        "right answers": Side(work.requests(work.answers()), programs(work.problems, solutions)),
        "mixed responses": Side(work.requests(_responses.mixed_responses(work)), programs(work.problems, codes)),
    }


def commands(options: Namespace) -> dict[str, Callable[[], Rival]]:
    """How to start each of the others. Those that take long per solution get the first few only."""
    workers = str(options.workers)
    engine = ["--any-engine"] if options.inspect_any_engine else []
    docker = ("docker", "--base", options.inspect_base, *engine)
    return {
        "http": lambda: Rival("http_worker", workers, most=60),
        "python": lambda: Rival("new_python", workers, most=60),
        "inspect-docker": lambda: Rival("inspect_sandbox", workers, *docker, most=24),
        "inspect-local": lambda: Rival("inspect_sandbox", workers, "local", most=60),
        "code-eval": lambda: Rival("code_eval", workers, most=60),
        "code-eval-together": lambda: Rival("code_eval", workers, "--together", most=60),
        "fork": lambda: Rival("bare_fork", workers, repeats=4),
    }


def start(options: Namespace, stack: ExitStack) -> list[Rival]:
    """The others that are asked for, warm. Raises SystemExit on an unknown name."""
    known = commands(options)
    names = options.against.split(",") if options.against else list(known)
    if unknown := set(names) - known.keys():
        raise SystemExit(f"unknown: {', '.join(unknown)}; --against takes {', '.join(known)}")
    return [stack.enter_context(known[name]()) for name in names]


def main() -> None:
    """Measure in turn, several rounds, and print medians and ratios."""
    parser = _measure.arguments(__doc__, rounds=3)
    parser.add_argument("--against", metavar="NAMES", help="only these, separated by commas: http,python,fork ...")
    parser.add_argument("--inspect-base", default="python:3.11-slim", metavar="IMAGE")
    parser.add_argument("--inspect-any-engine", action="store_true")
    options = parser.parse_args()
    work = _measure.load(options.limit)
    measured = sides(work)
    with ExitStack() as stack:
        rivals = start(options, stack)
        pool = stack.enter_context(Pool(options.sandbox, work.vocabulary, options.workers))
        report = _measure.Report(_sample(work, measured, pool, options.rounds), _measure.setting(pool))
        present = [rival for rival in rivals if rival.not_measured is None]
        for title, side in measured.items():
            for _ in range(options.rounds):
                side.round(pool, present)
            report.table(title, side.rows())
        for rival in rivals:
            if rival.not_measured is not None:
                report.absent(rival.what, rival.not_measured)
    report.write(options.json)


def _sample(work: _measure.Work, measured: dict[str, Side], pool: Pool, rounds: int) -> str:
    """What is measured, after one round that is not: every guest is warm then."""
    passed = [sum(verdict.passed for verdict in pool.grade_all(side.requests)) for side in measured.values()]
    return (
        f"{work.name}: {len(work.problems)} problems; of the right answers {passed[0]} pass, of the mixed responses "
        f"{passed[1]}; {rounds} rounds"
    )


if __name__ == "__main__":
    main()

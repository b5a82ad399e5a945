"""Rules about the set as a whole: how often each function occurs, and with which others."""

import itertools
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sebench_tasks import build
from sebench_tasks.checking.faults import Fault
from sebench_tasks.problems import Problem
from zwc.catalog import load

PER_FUNCTION: Mapping[str, int] = {"single_test": 1, "single_train": 2, "multi_test": 4}
"""Problems of each kind and split that every testable function needs."""

TOTALS: Mapping[str, int] = {"single_test": 268, "single_train": 718, "multi_test": 440}
"""Problems of each kind and split that the set needs."""

PAIR_LIMIT = 0.04
"""Share of the multi problems in which one pair of functions may occur."""

UNTESTABLE = build.SOURCES / "untestable.toml"
"""Function ids that no problem can be about, each with the reason."""


@dataclass(frozen=True)
class Row:
    """How many problems are about one function, by kind and split, and how many are missing."""

    function_id: str
    counts: Mapping[str, int]
    missing: Mapping[str, int]

    @property
    def text(self) -> str:
        """What is missing, for people."""
        return ", ".join(f"{number} {where}" for where, number in self.missing.items())


def rows(records: Sequence[Problem]) -> list[Row]:
    """One row for each testable function, in the order of the catalog."""
    counted = Counter((_where(problem), target) for problem in records for target in set(problem.functions))
    return [_row(name, counted) for name in load() if name not in untestable()]


def set_faults(records: Sequence[Problem]) -> list[Fault]:
    """Faults of the set: functions with too few problems, frequent pairs, too few problems in all."""
    missing = [Fault("set", "coverage", f"{row.function_id} lacks {row.text}") for row in rows(records) if row.missing]
    return [*total_faults(records), *missing]


def total_faults(records: Sequence[Problem]) -> list[Fault]:
    """Faults of the set that are not about one function."""
    present = Counter(map(_where, records))
    faults = [
        Fault("set", "size", f"{present[where]} {where} problems, expected at least {number}")
        for where, number in TOTALS.items()
        if present[where] < number
    ]
    return faults + list(_pair_faults([problem for problem in records if problem.kind == "multi"]))


def untestable() -> dict[str, str]:
    """Function ids that no problem can be about, with the reasons."""
    reasons: dict[str, str] = tomllib.loads(UNTESTABLE.read_text(encoding="utf-8"))["functions"]
    return reasons


def _where(problem: Problem) -> str:
    return f"{problem.kind}_{problem.split}"


def _row(function_id: str, counted: Counter[tuple[str, str]]) -> Row:
    counts = {where: counted[where, function_id] for where in PER_FUNCTION}
    missing = {where: need - counts[where] for where, need in PER_FUNCTION.items() if counts[where] < need}
    return Row(function_id, counts, missing)


def _pair_faults(records: Sequence[Problem]) -> Iterator[Fault]:
    pairs = Counter(pair for problem in records for pair in itertools.combinations(sorted(set(problem.functions)), 2))
    for pair, count in pairs.most_common():
        if count > PAIR_LIMIT * len(records):
            text = f"{' and '.join(pair)} occur together in {count} of {len(records)} multi problems"
            yield Fault("set", "pairs", f"{text}, expected at most {PAIR_LIMIT:.0%}")

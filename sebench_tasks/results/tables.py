"""The tables of a report, as plain records: scores, verdicts, recall of functions, and turned problems."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from harness_adapters.metrics import ladder, pass_at_k
from sebench_tasks.results.records import Attempt, Result
from sebench_tasks.results.statistics import difference, mean

Row = dict[str, Any]


def scores(results: Iterable[Result]) -> list[Row]:
    """A row for each result: mean over problems with its 95% interval, and pass@k where samples allow it."""
    return [_score(result) for result in results if result.rates]


def verdicts(results: Iterable[Result]) -> list[Row]:
    """A row for each result: the share of every verdict among its attempts, those that occur in any result."""
    chosen = [result for result in results if result.rates]
    names = sorted({attempt.verdict for result in chosen for attempt in _attempts(result)})
    rows = []
    for result in chosen:
        counts = Counter(attempt.verdict for attempt in _attempts(result))
        shares = {name: counts[name] / counts.total() for name in names}
        rows.append({"checkpoint": result.checkpoint, "task": result.name, **shares})
    return rows


def recall(results: Iterable[Result]) -> list[Row]:
    """A row for each checkpoint and function: problems about it, how often it was called, and how often rightly.

    `known` means called in at least one attempt that passed.
    """
    counted: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for result in results:
        for key, attempts in result.attempts.items():
            for function in result.functions.get(key, ()):
                found = counted[result.checkpoint, function]
                found["problems"] += 1
                found["attempts"] += len(attempts)
                found["called"] += sum(function in attempt.targets_called for attempt in attempts)
                found["passed"] += sum(function in attempt.targets_called and attempt.passed for attempt in attempts)
    return [
        {"checkpoint": checkpoint, "function": function, **_counts(found), "known": found["passed"] > 0}
        for (checkpoint, function), found in sorted(counted.items())
    ]


def composition(results: Sequence[Result]) -> list[Row]:
    """A row for each checkpoint with single and multi results: multi problems by whether all their functions are known.

    A checkpoint that knows every function of a problem and still fails it knows the parts and cannot compose them.
    """
    rows: list[Row] = []
    for checkpoint in dict.fromkeys(result.checkpoint for result in results):
        mine = [r for r in results if (r.checkpoint, r.setting.condition) == (checkpoint, "closed")]
        singles = [result for result in mine if result.kind == "single"]
        multis = [result for result in mine if result.kind == "multi" and singles]
        known = {row["function"] for row in recall(singles) if row["known"]}
        rows += [{"checkpoint": checkpoint, **_composed(result, known)} for result in multis]
    return rows


def turned(results: Sequence[Result]) -> list[Row]:
    """A row for each pair of results that compare: the paired difference, and which problems turned."""
    rows = []
    for first, second in combinations(results, 2):
        if first.name != second.name or not (first.rates.keys() & second.rates.keys()):
            continue
        apart = first.setting.differences(second.setting)
        row: Row = {"task": first.name, "from": first.checkpoint, "to": second.checkpoint}
        if apart:
            rows.append({**row, "not compared": "; ".join(apart)})
            continue
        found = difference(first.rates, second.rates)
        shown = {"difference": found.value, "low": found.low, "high": found.high, "p": found.p_value}
        rows.append({**row, **shown, "gained": list(found.gained), "lost": list(found.lost)})
    return rows


def _score(result: Result) -> Row:
    found = mean(result.rates)
    samples = min(map(len, result.attempts.values()))
    passes = {f"pass@{k}": _pass_at(result, samples, k) for k in ladder(samples) if k > 1}
    return {
        "checkpoint": result.checkpoint,
        "task": result.name,
        "mean": found.value,
        "low": found.low,
        "high": found.high,
        "problems": found.problems,
        "samples": samples,
        **passes,
        "faults": "; ".join(result.faults),
    }


def _pass_at(result: Result, samples: int, k: int) -> float:
    """The mean of the unbiased estimates over problems, from the first `samples` attempts of each."""
    passed = [sum(attempt.passed for attempt in found[:samples]) for found in result.attempts.values()]
    return sum(pass_at_k(samples, count, k) for count in passed) / len(passed)


def _composed(result: Result, known: set[str]) -> Row:
    groups: dict[bool, list[float]] = {True: [], False: []}
    for key, rate in result.rates.items():
        groups[known.issuperset(result.functions.get(key, ()))].append(rate)
    return {
        f"{label} {what}": value
        for label, rates in (("all known:", groups[True]), ("some unknown:", groups[False]))
        for what, value in (("problems", len(rates)), ("solved", sum(rates) / len(rates) if rates else None))
    }


def _counts(found: Counter[str]) -> dict[str, int]:
    return {name: found[name] for name in ("problems", "attempts", "called", "passed")}


def _attempts(result: Result) -> Iterable[Attempt]:
    return (attempt for found in result.attempts.values() for attempt in found)

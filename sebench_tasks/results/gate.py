"""Whether results are good enough to go on: thresholds, and drops against a baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sebench_tasks.results.records import Result
from sebench_tasks.results.statistics import Difference, difference, mean


class Standing(StrEnum):
    """How a check ended. `unjudged` never counts as passed."""

    PASSED = "passed"
    FAILED = "failed"
    UNJUDGED = "unjudged"


@dataclass(frozen=True)
class Check:
    """One check and what it found, for people."""

    name: str
    standing: Standing
    text: str


def judge(
    results: Sequence[Result],
    least: Mapping[str, float],
    baseline: Sequence[Result] = (),
    most_drop: float | None = None,
    *,
    allow_mismatch: bool = False,
) -> list[Check]:
    """Check the results against thresholds by name (`single`, `multi/open`), and against a baseline.

    A result below its threshold fails. A drop fails if it is larger than `most_drop` beyond doubt: the 95% interval of
    the paired difference (one-sided) lies beyond it. What is incomplete, missing or not comparable is unjudged.
    """
    found = {result.name: result for result in results}
    checks = [_complete(result) for result in results]
    checks += [
        Check(
            f"{name} named once", Standing.UNJUDGED, f"several results are called {name}: gate one checkpoint at a time"
        )
        for name in found
        if sum(result.name == name for result in results) > 1
    ]
    checks += [_least(found.get(name), name, bound) for name, bound in least.items()]
    if most_drop is not None:
        before = {result.name: result for result in baseline}
        checks += [_complete(result) for result in baseline]
        checks += [_drop(found.get(name), old, most_drop, allow_mismatch) for name, old in before.items()]
        missing = [name for name in found if name not in before]
        checks += [Check(f"{name} against baseline", Standing.UNJUDGED, "not in the baseline") for name in missing]
    return checks


def _complete(result: Result) -> Check:
    standing = Standing.UNJUDGED if result.faults else Standing.PASSED
    text = "; ".join(result.faults) or f"{result.problem_count} problems graded"
    return Check(f"{result.name} complete ({result.source})", standing, text)


def _least(result: Result | None, name: str, bound: float) -> Check:
    title = f"{name} at least {bound:.1%}"
    if result is None or not result.rates:
        return Check(title, Standing.UNJUDGED, f"there is no result called {name}")
    found = mean(result.rates)
    standing = Standing.PASSED if found.value >= bound else Standing.FAILED
    near = ", within the noise of the threshold" if found.low < bound < found.high else ""
    return Check(title, standing, f"{found.value:.1%} [{found.low:.1%}, {found.high:.1%}]{near}")


def _drop(new: Result | None, old: Result, most: float, allow_mismatch: bool) -> Check:
    title = f"{old.name} drops by at most {most:.1%}"
    if new is None or not new.rates or not old.rates:
        return Check(title, Standing.UNJUDGED, "there is no result to compare with the baseline")
    differences = old.setting.differences(new.setting)
    if differences and not allow_mismatch:
        return Check(title, Standing.UNJUDGED, f"not comparable: {'; '.join(differences)}")
    if not old.rates.keys() & new.rates.keys():
        return Check(title, Standing.UNJUDGED, "not comparable: they share no problem")
    found = difference(old.rates, new.rates, confidence=0.90)
    standing = Standing.FAILED if -found.high > most else Standing.PASSED
    return Check(title, standing, _drop_text(found, most))


def _drop_text(found: Difference, most: float) -> str:
    way = f"{found.value:+.1%} [{found.low:+.1%}, {found.high:+.1%}] on {found.problems} problems"
    noise = ", more than allowed but within noise" if -found.value > most >= -found.high else ""
    power = f"drops of {most + found.detectable:.1%} or more would be found"
    return f"{way}{noise}; {len(found.gained)} gained, {len(found.lost)} lost; {power}"

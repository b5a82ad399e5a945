"""Problems whose recorded results contradict their own solution are ambiguous: either answer is accepted.

A case in which the solution raises is left out, unless it raises in all.

The solutions come from others, so they run in a sandbox like any response.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sandbox.comparison import agree
from sandbox.guests import Failed, Job, Returned, RunRecord
from sandbox.records import Tolerance
from sebench_tasks.errors import UnreconciledError
from sebench_tasks.problems import Problem
from zwc._wire import encode

if TYPE_CHECKING:
    from sandbox.pool import Pool

_DIGITS = 6
"""Alternatives are rounded to this many decimals: results of linear algebra differ between machines beyond them."""


def reconcile(problems: Sequence[Problem], pool: "Pool") -> list[Problem]:
    """The problems with what their solutions return as alternatives, where that differs from the recorded results.

    `provenance` gets the numbers (from 0, in the source) of the cases concerned: `contradicts_its_solution`, and
    `solution_raises` for those in which the solution raises, which are left out; if it raises in all, none is.

    Raises:
        UnreconciledError: a solution was stopped, or left no result; names the problem.
        SandboxError: the machinery failed.
    """
    with ThreadPoolExecutor(pool.workers) as threads:
        return list(threads.map(partial(reconcile_one, pool=pool), problems))


def reconcile_one(problem: Problem, pool: "Pool") -> Problem:
    """`reconcile` for one problem."""
    return _reconciled(problem, pool.run(_job(problem)))


def _job(problem: Problem) -> Job:
    cases = [{name: encode(value) for name, value in case.arguments.items()} for case in problem.cases]
    return Job(problem.solution, problem.entry_point, cases, numpy=True)


def _reconciled(problem: Problem, record: RunRecord) -> Problem:
    tolerance = problem.tolerance or Tolerance()
    results = _results(problem, record)
    other: dict[int, Any] = {
        number: result.value
        for number, (case, result) in enumerate(zip(problem.cases, results, strict=True))
        if isinstance(result, Returned) and not agree(result.value, case.expected, tolerance)
    }
    raising = [number for number, result in enumerate(results) if isinstance(result, Failed)]
    if len(raising) == len(results):
        raising = []
    cases = tuple(
        replace(problem.cases[number], alternatives=(_rounded(other[number]),))
        if number in other
        else problem.cases[number]
        for number in range(len(results))
        if number not in raising
    )
    found = {"contradicts_its_solution": list(other), "solution_raises": raising}
    noted = {name: numbers for name, numbers in found.items() if numbers}
    return replace(problem, cases=cases, provenance={**problem.provenance, **noted})


def _results(problem: Problem, record: RunRecord) -> list[Returned | Failed]:
    """The result of each case. Raises UnreconciledError where one is missing."""
    if record.stopped:
        raise UnreconciledError(f"{problem.id}: the run of its solution was stopped: {record.stopped}")
    numbers = range(len(problem.cases))
    loading = record.results.get(-1)
    if isinstance(loading, Failed):
        return [loading for _ in numbers]
    missing = [number for number in numbers if number not in record.results]
    if missing:
        why = record.malformed or record.output.strip()[-300:] or "its process left no message"
        raise UnreconciledError(f"{problem.id}: no result of its solution for case {missing[0]}: {why}")
    return [record.results[number] for number in numbers]


def _rounded(value: Any) -> Any:
    match value:
        case list() | tuple():
            return type(value)(map(_rounded, value))
        case dict():
            return {key: _rounded(item) for key, item in value.items()}
        case float():
            return round(value, _DIGITS) + 0.0
        case complex():
            return complex(_rounded(value.real), _rounded(value.imag))
    return value

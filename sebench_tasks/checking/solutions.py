"""Rules about running the solution as it is: it works, answers in plain data, always the same, fast and small.

The second run has another hash seed, another order of problems and two threads for linear algebra.
"""

from collections.abc import Iterator, Sequence

from sandbox.comparison import agree
from sandbox.records import Tolerance
from sebench_tasks import build, numpy_runs, problems
from sebench_tasks.checking.faults import Fault
from sebench_tasks.numpy_runs import CaseOutcome
from sebench_tasks.problems import Problem

CASE_LIMIT_S = 0.2
CASE_LIMIT_BYTES = 16 << 20


def solution_faults(records: Sequence[Problem]) -> list[Fault]:
    """Faults of the solutions, from two runs in fresh processes."""
    jobs = [build.solution_job(problem) for problem in records]
    first = numpy_runs.run(jobs, hash_seed=1)
    second = numpy_runs.run(jobs[::-1], hash_seed=2, threads=2, traced=True)[::-1]
    faults = []
    for problem, one, other in zip(records, first, second, strict=True):
        faults += [Fault(problem.id, *found) for found in _run_faults(problem, one, other)]
    return faults


def _run_faults(
    problem: Problem, first: Sequence[CaseOutcome], second: Sequence[CaseOutcome]
) -> Iterator[tuple[str, str]]:
    tolerance = problem.tolerance or Tolerance()
    for number, (case, one, other) in enumerate(zip(problem.cases, first, second, strict=True), 1):
        if one.error is not None:
            yield "solution", f"case {number} fails: {one.error}"
        elif other.error is not None or problems.encoded_text(one.value) != problems.encoded_text(other.value):
            yield "solution", f"case {number} differs between two runs"
        elif not one.plain:
            yield "solution", f"case {number} gives more than int, float, bool, complex and lists"
        elif not agree(one.value, case.expected, tolerance):
            yield "solution", f"case {number} does not give the expected value"
        else:
            yield from _cost_faults(number, one.seconds, other.memory_bytes)


def _cost_faults(number: int, seconds: float, memory_bytes: int) -> Iterator[tuple[str, str]]:
    if seconds > CASE_LIMIT_S:
        yield "cost", f"case {number} takes {seconds:.2f} s, expected at most {CASE_LIMIT_S} s"
    if memory_bytes > CASE_LIMIT_BYTES:
        yield "cost", f"case {number} needs {memory_bytes >> 20} MiB, expected at most {CASE_LIMIT_BYTES >> 20} MiB"

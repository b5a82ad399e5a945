"""Rules about the cases: enough of them, all distinct, with answers that say something."""

from collections.abc import Iterator

from sandbox.comparison import agree
from sandbox.records import Tolerance
from sebench_tasks import problems
from sebench_tasks.problems import Problem

MIN_CASES = 8
MIN_ANSWERS = 3
"""Distinct answers of a problem whose answer is more than one bool."""


def case_faults(problem: Problem) -> Iterator[tuple[str, str]]:
    """`(rule, text)` for each fault of the cases. Expected values must be known."""
    asked = {problems.encoded_text(case.arguments) for case in problem.cases}
    if len(asked) < MIN_CASES:
        yield "cases", f"{len(asked)} distinct cases, expected at least {MIN_CASES}"
    elif len(asked) < len(problem.cases):
        yield "cases", f"{len(problem.cases) - len(asked)} cases repeat another"
    yield from _answer_faults(problem)
    for name in problem.cases[0].arguments:
        if all(agree(case.arguments.get(name), case.expected, Tolerance()) for case in problem.cases):
            yield "cases", f"every answer repeats the argument {name}"


def _answer_faults(problem: Problem) -> Iterator[tuple[str, str]]:
    answers = {problems.encoded_text(case.expected) for case in problem.cases}
    yes_or_no = all(isinstance(case.expected, bool) for case in problem.cases)
    if len(answers) == 1:
        yield "cases", "every answer is the same"
    elif len(answers) < MIN_ANSWERS and not yes_or_no:
        yield "cases", f"{len(answers)} distinct answers, expected at least {MIN_ANSWERS}"

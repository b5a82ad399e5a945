"""Rules that only grading in a sandbox shows: the oracle passes, and answers without the library do not."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sebench_tasks import oracle
from sebench_tasks.checking.faults import Fault
from sebench_tasks.errors import OracleError
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition, value_text

if TYPE_CHECKING:
    from sandbox.pool import Pool
    from zwc.vocabulary import Vocabulary


def grading_faults(records: Sequence[Problem], vocabulary: "Vocabulary", pool: "Pool") -> list[Fault]:
    """Faults of the problems whose oracle fails, or where an answer without the library passes."""
    faults: list[Fault] = []
    expected: list[tuple[Problem, str, bool, str]] = []
    for problem in records:
        expected += [(problem, *cheat) for cheat in _cheats(problem)]
        try:
            expected.append((problem, oracle.answer(problem, vocabulary, Condition.CLOSED), True, "the oracle"))
        except OracleError as error:
            faults.append(Fault(problem.id, "oracle", str(error)))
    requests = [grading_request(problem, response, Condition.CLOSED) for problem, response, _, _ in expected]
    for (problem, _, passes, what), verdict in zip(expected, pool.grade_all(requests), strict=True):
        if verdict.passed != passes:
            faults.append(Fault(problem.id, "grading", f"{what} is {verdict.outcome}: {verdict.detail}"))
    return faults


def _cheats(problem: Problem) -> Iterator[tuple[str, bool, str]]:
    yield "", False, "an empty answer"
    yield lookup_answer(problem), False, "a look-up"


def lookup_answer(problem: Problem) -> str:
    """A response that knows the cases by heart and no function of the library."""
    pairs = ", ".join(f"({repr(dict(case.arguments))!r}, {value_text(case.expected)})" for case in problem.cases)
    parameters = ", ".join(f"{name!r}: {name}" for name in problem.cases[0].arguments)
    return oracle.fenced(
        f"import zwc\n\nKNOWN = [{pairs}]\n\n{problem.signature.strip()}\n"
        f"    asked = repr({{{parameters}}})\n"
        "    return next(answer for arguments, answer in KNOWN if arguments == asked)"
    )

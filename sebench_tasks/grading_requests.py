"""From a problem and a model's response to what the sandbox grades."""

from sandbox.records import GradingRequest, Library, Tolerance
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition


def grading_request(problem: Problem, response: str, condition: Condition) -> GradingRequest:
    """What the sandbox needs to grade one response; `open` is graded as `closed`."""
    by_numpy = Condition(condition) is Condition.NUMPY
    return GradingRequest(
        response=response,
        entry_point=problem.entry_point,
        cases=problem.cases,
        targets=problem.functions,
        tolerance=problem.tolerance or Tolerance(),
        library=Library.NUMPY if by_numpy else Library.ZWC,
    )

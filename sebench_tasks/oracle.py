"""A stand-in model that answers with the problem's own solution, in the words of the current vocabulary.

It must score 100%: whatever it loses is a defect of the benchmark, not of a model.
"""

from typing import TYPE_CHECKING

from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition
from sebench_tasks.translation.translator import translate

if TYPE_CHECKING:
    from zwc.vocabulary import Vocabulary


def answer(problem: Problem, vocabulary: "Vocabulary", condition: Condition) -> str:
    """The response that must pass: a fenced code block.

    Raises:
        OracleError: the solution uses something that `zwc` has no counterpart for; says what.
    """
    if Condition(condition) is Condition.NUMPY:
        return fenced(problem.solution)
    return fenced(solution(problem, vocabulary))


def solution(problem: Problem, vocabulary: "Vocabulary") -> str:
    """The problem's solution as `zwc` code, without a fence."""

    def qualified(function_id: str) -> str | None:
        return vocabulary.qualified(function_id) if function_id in vocabulary.names else None

    return translate(problem.solution, qualified, problem.entry_point, keep_astype="astype" in problem.functions)


def fenced(code: str) -> str:
    """Code as a model writes it: in a fenced block."""
    return f"```python\n{code.strip()}\n```\n"

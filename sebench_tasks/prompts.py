"""The one prompt: what a model is told in each condition.

The protocol follows the SE-Bench paper (arXiv 2602.04811, section 3); the words are this project's.
"""

import cmath
import math
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sebench_tasks.problems import Problem

if TYPE_CHECKING:
    from zwc.vocabulary import Vocabulary

PROMPT_VERSION = 2
"""Raised whenever the text of any prompt changes: scores of different versions are not comparable."""


class Condition(StrEnum):
    """What the model is shown."""

    CLOSED = "closed"
    OPEN = "open"
    NUMPY = "numpy"


_ZWC_TASK = """\
Solve the task below in Python with the library `zwc`.

`zwc` is a library for arrays and numbers. Its functions are called as `zwc.<name>(...)`, those for linear \
algebra as `zwc.rfx.<name>(...)`. They accept numbers, nested lists and arrays, and return Python numbers or \
opaque arrays. An array can be indexed, sliced, assigned to, iterated over and used with operators. It has the \
attributes `shape`, `dtype`, `size`, `ndim` and `T`, and no methods."""

_CLOSED_NOTE = "No documentation is given: use what you know about the library."

_OPEN_NOTE = "The documentation of the functions that you need:"

_NUMPY_TASK = "Solve the task below in Python with NumPy."

_RULES = """\
Rules
- Complete the function with exactly the given name and parameters.
- {library}
- Return the kind of data that the example shows: numbers stay numbers, lists keep their nesting.{returns}
- Answer with one fenced Python code block that holds everything needed to run it, imports included."""

_ZWC_RULE = "Import `zwc` and do the numerical work with its functions; no other array library is installed."
_ZWC_RETURNS = " Where the example shows a list, an array of `zwc` with the same content is accepted too."
_NUMPY_RULE = "Import NumPy and use its functions where they fit."
_NUMPY_RETURNS = " Where the example shows a list, a NumPy array with the same content is accepted too."


def build(
    problem: Problem,
    condition: Condition,
    vocabulary: "Vocabulary",
    reference: str | None = None,
) -> str:
    """The user message for one problem.

    Args:
        problem: what to solve; its first case is shown as the example.
        condition: `closed` shows no documentation, `open` that of the needed functions, `numpy` asks for NumPy.
        vocabulary: names for the documentation; the rest of the prompt does not depend on it.
        reference: documentation to show in the `open` condition; by default that of `problem.functions`.
    """
    parts = _introduction(problem, Condition(condition), vocabulary, reference)
    parts += [f"Task\n{problem.statement.strip()}", f"Signature\n```python\n{problem.signature.strip()}\n```"]
    parts += [_example(problem), _rules(Condition(condition))]
    return "\n\n".join(parts) + "\n"


def call_text(problem: Problem, arguments: Mapping[str, Any]) -> str:
    """A call of the entry point as Python source: `f(a=[1, 2], b=3)`."""
    passed = ", ".join(f"{name}={value_text(value)}" for name, value in arguments.items())
    return f"{problem.entry_point}({passed})"


def value_text(value: Any) -> str:
    """A plain value as Python source; non-finite floats read `float('nan')`."""
    match value:
        case list():
            return f"[{', '.join(map(value_text, value))}]"
        case tuple():
            inner = ", ".join(map(value_text, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case dict():
            return "{" + ", ".join(f"{key!r}: {value_text(item)}" for key, item in value.items()) + "}"
        case float() if not math.isfinite(value):
            return f"float('{value}')"
        case complex() if not _reads_back(value):
            return f"complex({value_text(value.real)}, {value_text(value.imag)})"
    return repr(value)


def _reads_back(value: complex) -> bool:
    """Whether `repr` is an expression for the very same value, signs of zeros included."""
    negative_zero = any(part == 0 and math.copysign(1, part) < 0 for part in (value.real, value.imag))
    return cmath.isfinite(value) and not negative_zero and (value.real != 0 or value.imag >= 0)


def _introduction(problem: Problem, condition: Condition, vocabulary: "Vocabulary", reference: str | None) -> list[str]:
    if condition is Condition.NUMPY:
        return [_NUMPY_TASK]
    if condition is Condition.CLOSED:
        return [_ZWC_TASK, _CLOSED_NOTE]
    if reference is None:
        from zwc.reference import excerpt

        reference = excerpt(problem.functions, vocabulary)
    return [_ZWC_TASK, _OPEN_NOTE, reference.strip()]


def _example(problem: Problem) -> str:
    case = problem.cases[0]
    return f"Example\n```python\n>>> {call_text(problem, case.arguments)}\n{value_text(case.expected)}\n```"


def _rules(condition: Condition) -> str:
    if condition is Condition.NUMPY:
        return _RULES.format(library=_NUMPY_RULE, returns=_NUMPY_RETURNS)
    return _RULES.format(library=_ZWC_RULE, returns=_ZWC_RETURNS)

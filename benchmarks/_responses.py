"""Responses to measure with: the oracle's right answers, and a mix as reinforcement learning makes it."""

from __future__ import annotations

import re
from collections.abc import Callable

from _measure import Work

from sandbox.extraction import extract_code

_FUNCTION = re.compile(r"\bzwc\.(rfx\.)?\w+")
_NUMPY_FUNCTION = re.compile(r"\bnp\.(linalg\.)?\w+")
_MADE_UP = "nusolutiku"
_NO_CODE = "I would use the library for this, but I do not know its functions."
Change = Callable[[str, str], str]


def _right(code: str, _: str) -> str:
    return code


def _wrong_answer(code: str, entry_point: str) -> str:
    return _wrapped(code, entry_point, "[_right(*a, **k), 0]")


def _runtime_error(code: str, entry_point: str) -> str:
    return _wrapped(code, entry_point, "[_right(*a, **k)] + {}")


def _unknown_function(code: str, _: str) -> str:
    renamed = _FUNCTION.sub(lambda match: f"zwc.{match[1] or ''}{_MADE_UP}", code)
    return _NUMPY_FUNCTION.sub(lambda match: f"np.{match[1] or ''}{_MADE_UP}", renamed)


def _wrapped(code: str, entry_point: str, result: str) -> str:
    """Code whose entry point does what it did, and then spoils the result."""
    return f"{code}\n_right = {entry_point}\n\ndef {entry_point}(*a, **k):\n    return {result}\n"


# Ten responses in turn: 40 % right, 40 % wrong or with a function that does not exist, 10 % without code, 10 % that
# raise an error.
MIX: tuple[Change | None, ...] = (
    _right, _wrong_answer, _right, _unknown_function, None,
    _right, _wrong_answer, _runtime_error, _right, _unknown_function,
)  # fmt: skip


def mixed(codes: list[str], entry_points: list[str]) -> list[str]:
    """Each code as the mix has it at that place: as it is, changed, or empty."""
    return [
        "" if change is None else change(code, entry_point)
        for change, code, entry_point in zip(MIX * len(codes), codes, entry_points, strict=False)
    ]


def mixed_responses(work: Work) -> list[str]:
    """The mix of the right answers, as a model would give it."""
    points = work.entry_points()
    codes = [extract_code(answer, point) or "" for answer, point in zip(work.answers(), points, strict=True)]
    return [f"```python\n{code}\n```" if code else _NO_CODE for code in mixed(codes, points)]

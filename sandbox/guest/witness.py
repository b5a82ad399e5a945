"""What the kernel saw: functions called, misuse, guesses. And the altered results of the dependence run."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from zwc.kernel import Observer

# They bring data in; on their own they compute nothing.
CONVERTERS = frozenset(
    ("array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "copy", "astype", "shape", "size")
)
_KEPT_NAMES = 20
# Their values are arbitrary, so an answer can only depend on the shape of what they return.
_SHAPE_ONLY = frozenset(("empty", "empty_like"))


class Witness(Observer):
    """Records one run. With `alteration` 1 or 2 it also changes every result, each in its own way.

    Results of converters are left alone unless the converter is a target: a solution that only moves its input
    through an array has not used the library.
    """

    def __init__(self, alteration: int, targets: frozenset[str]) -> None:
        self._alteration = alteration
        self._spared = CONVERTERS - targets
        self._succeeded: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._misused: Counter[str] = Counter()
        self._unknown: list[str] = []
        self._starred = False
        self.guessing = False
        self.exhausted = False

    def report(self) -> dict[str, Any]:
        """The record, ready for JSON."""
        return {
            "succeeded": self._succeeded,
            "failed": self._failed,
            "misused": self._misused,
            "unknown": self._unknown,
            "starred": self._starred,
            "guessing": self.guessing,
            "exhausted": self.exhausted,
        }

    def unknown(self, name: str) -> None:
        if len(self._unknown) < _KEPT_NAMES:
            self._unknown.append(str(name)[:80])

    def starred(self) -> None:
        self._starred = True

    def called(self, function_id: str, succeeded: bool) -> None:
        (self._succeeded if succeeded else self._failed)[function_id] += 1

    def misused(self, function_id: str) -> None:
        self._misused[function_id] += 1

    def result(self, function_id: str, arguments: list[Any], value: Any) -> Any:
        if not self._alteration or function_id in self._spared:
            return value
        if function_id in _SHAPE_ONLY:
            return np.concatenate([np.atleast_1d(value)] * 2)
        if value is None:
            _alter_in_place(arguments, self._alteration)
            return None
        return _alter_result(value, arguments, self._alteration)


def _alter_result(value: Any, arguments: list[Any], way: int) -> Any:
    """The altered value; what is also an argument (`out`, a copy that was declined) changes where it lies."""
    if type(value) is tuple:
        return tuple(_alter_result(item, arguments, way) for item in value)
    if isinstance(value, np.ndarray) and any(_is_in(value, argument) for argument in arguments):
        value[...] = _alter_array(value, way)
        return value
    return alter(value, way)


def _is_in(value: Any, argument: Any) -> bool:
    if isinstance(argument, tuple):
        return any(_is_in(value, item) for item in argument)
    if not isinstance(argument, np.ndarray) or not value.flags.writeable:
        return False
    return value is argument or (value.base is argument and value.shape == argument.shape)


def alter(value: Any, way: int) -> Any:
    """Another value of the same type, shape and dtype; what has no other value comes back as it is."""
    if isinstance(value, tuple | list):
        return type(value)([alter(item, way) for item in value]) if type(value) in (tuple, list) else tuple(
            alter(item, way) for item in value
        )  # fmt: skip
    if isinstance(value, np.ndarray):
        return _alter_array(value, way)
    if isinstance(value, np.generic):
        return _alter_array(np.asarray(value), way)[()]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 if way == 1 else -value - 2
    if isinstance(value, float | complex):
        return value * 1.5 + 0.75 if way == 1 else -value - 2.25
    if isinstance(value, str):
        return value[::-1] + "1" if way == 1 else "7" + value
    return value


def _alter_array(array: Any, way: int) -> Any:
    kind = array.dtype.kind
    if kind == "b":
        return ~array
    with np.errstate(all="ignore"):
        if kind in "iu":
            return (array + array.dtype.type(1) if way == 1 else ~array - array.dtype.type(1)).astype(array.dtype)
        if kind in "fc":
            changed = array * 1.5 + 0.75 if way == 1 else -array - 2.25
            return np.where(np.isfinite(array), changed, 0.5).astype(array.dtype)
    flat = [alter(item, way) for item in array.ravel().tolist()]
    changed = np.empty(len(flat), dtype=object)
    changed[:] = flat
    return changed.reshape(array.shape).astype(array.dtype if kind == "O" else str)


def _alter_in_place(arguments: list[Any], way: int) -> None:
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            if argument.flags.writeable:
                argument[...] = _alter_array(argument, way)
            return

"""Hooks that count, remove, replace or alter the calls of one target function."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sandbox.guest.witness import Witness
from sebench_tasks.checking.double import real


class Count:
    """Changes nothing; notes that the target was called and returned."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.called = False

    def __call__(
        self, function_id: str, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]
    ) -> Any:
        if function_id != self.target:
            return function(*args, **options)
        result = self.changed(function, args, options)
        self.called = True
        return result

    def changed(self, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
        """What a call of the target gives."""
        return function(*args, **options)


class Remove(Count):
    """The target gives its first argument back."""

    def changed(self, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
        return np.asarray(args[0])


class Replace(Count):
    """Another function answers in place of the target."""

    def __init__(self, target: str, other: str) -> None:
        super().__init__(target)
        self._other = real(other)

    def changed(self, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
        is_method = isinstance(getattr(function, "__self__", None), np.ufunc)
        other = getattr(self._other, function.__name__) if is_method else self._other
        return other(*args, **options)


class Alter(Count):
    """The results of the target are altered: in way 1 or 2 as in the dependence run of grading, in way 3 unevenly.

    Ways 1 and 2 keep differences in proportion, so answers that only follow those stay; way 3 does not.
    """

    def __init__(self, target: str, way: str) -> None:
        super().__init__(target)
        self._uneven = way == "3"
        self._witness = Witness(2 if self._uneven else int(way), frozenset({target}))

    def changed(self, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
        result = function(*args, **options)
        if isinstance(result, np.vectorize):
            return result
        if self._uneven and isinstance(result, np.ndarray) and result.dtype.kind in "iufc":
            return result + np.square(np.arange(result.size)).reshape(result.shape).astype(result.dtype)
        altered = self._witness.result(self.target, [*args, *options.values()], result)
        return type(result)(*altered) if hasattr(result, "_fields") else altered

"""Function ids to NumPy functions, over the NumPy releases that the project supports (2.0 and later)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

Callables = Callable[..., Any]


@functools.cache
def resolve(function_id: str) -> Callables:
    """The function to run for a function id. Raises AttributeError if this NumPy lacks it."""
    if function_id in _OWN:
        return _OWN[function_id]
    module, _, name = function_id.rpartition(".")
    return getattr(np.linalg if module else np, name)  # type: ignore[no-any-return]


def _empty(shape: Any, dtype: Any = float, order: Any = "C") -> Any:
    """Zeros: fresh memory could hold an earlier run's data."""
    return np.zeros(shape, dtype, order)


def _empty_like(prototype: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None) -> Any:
    return np.zeros_like(prototype, dtype, order, subok, shape)


def _vectorize(pyfunc: Any, otypes: Any = None, doc: Any = None, excluded: Any = None, *rest: Any, **more: Any) -> Any:
    """Excluded positions may come as a list, since sets do not cross."""
    return np.vectorize(pyfunc, otypes, doc, None if excluded is None else set(excluded), *rest, **more)


def _reshape(a: Any, /, shape: Any, order: Any = "C") -> Any:
    """NumPy 2.0 calls the parameter `newshape`."""
    return np.reshape(a, shape, order)


_OWN: dict[str, Callables] = {
    "trapz": np.trapezoid,
    "empty": _empty,
    "empty_like": _empty_like,
    "reshape": _reshape,
    "vectorize": _vectorize,
}

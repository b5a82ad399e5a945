"""The same call to `zwc` and to NumPy, and what must be the same about it."""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import settings

from zwc import ZWCArray
from zwc._functions import resolve
from zwc.library import Library, open_library
from zwc.vocabulary import Vocabulary

# The exceptions that cross from the kernel; others arrive as RuntimeError, subclasses as the first of these they are.
CROSSING = (
    "ZeroDivisionError", "FloatingPointError", "OverflowError", "MemoryError", "RecursionError", "IndexError",
    "KeyError",
    "AttributeError", "NotImplementedError", "TypeError", "ValueError", "RuntimeError",
)  # fmt: skip
VOCABULARY = Vocabulary.default()
# Machines are shared: no deadline. `--hypothesis-profile` and more examples are for a longer search.
examples = settings(max_examples=40, deadline=None)


@functools.cache
def library() -> Library:
    """One library for all tests that leave nothing behind in it."""
    return open_library(VOCABULARY)


def zwc_function(function_id: str, of: Library | None = None) -> Any:
    """The library's function for a function id."""
    module = of or library()
    return getattr(module.rfx if function_id.startswith("linalg.") else module, VOCABULARY.names[function_id])


def numpy_function(function_id: str) -> Any:
    """NumPy's function for a function id; `trapz` is gone from the newer releases under that name.

    Real eigenvalues are real in the library whatever the release; NumPy gives complex ones throughout since 2.5.
    """
    module, _, name = function_id.rpartition(".")
    if function_id in ("linalg.eig", "linalg.eigvals"):
        return resolve(function_id)
    return np.trapezoid if name == "trapz" else getattr(np.linalg if module else np, name)


def to_zwc(value: Any, of: Library | None = None) -> Any:
    """Arguments for `zwc`: arrays at any depth become arrays of the library, all else stays."""
    if isinstance(value, np.ndarray):
        flat = zwc_function("array", of)(value.ravel().tolist(), dtype=str(value.dtype))
        return zwc_function("reshape", of)(flat, value.shape)
    if type(value) in (list, tuple):
        return type(value)(to_zwc(item, of) for item in value)
    if type(value) is dict:
        return {key: to_zwc(item, of) for key, item in value.items()}
    return value


def normal(value: Any) -> Any:
    """What a value is, comparable with `==`: nan equals nan, -0.0 is not 0.0, types and dtypes count."""
    if isinstance(value, ZWCArray):
        return ("array", value.shape, value.dtype, normal(value._ask("plain")))
    if isinstance(value, np.ndarray):
        return ("array", value.shape, str(value.dtype), normal(value.tolist()))
    if isinstance(value, np.generic):
        return normal(value.item())
    if isinstance(value, set):
        return ("set", sorted(normal(item) for item in value))
    if isinstance(value, dict):
        return ("dict", {key: normal(item) for key, item in value.items()})
    if isinstance(value, tuple | list):
        return ("tuple" if isinstance(value, tuple) else "list", [normal(item) for item in value])
    return type(value).__name__, repr(value)


def outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    """("value", normal form) or ("error", name of the builtin exception)."""
    try:
        with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
            return "value", normal(call())
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        return "error", next((kind for kind in kinds if kind in CROSSING), "RuntimeError")


def both(function: Callable[..., Any], *values: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Outcomes of `function` on the library's arrays and on NumPy's, with the arrays as they are after it."""
    ours, theirs = to_zwc(values), copy.deepcopy(values)
    actual, expected = outcome(lambda: function(*ours)), outcome(lambda: function(*theirs))
    return (*actual, normal(ours)), (*expected, normal(theirs))


def assert_same(function: Callable[..., Any], *values: Any) -> None:
    """`function` does to the library's arrays what it does to NumPy's: value or error, and changes in place."""
    actual, expected = both(function, *values)
    assert actual == expected

"""Function ids to NumPy functions, over the NumPy releases that the project supports (2.0 and later).

A kernel serves runs that must not see each other's data. Where NumPy hands out fresh memory as it is, zeros stand here.
"""

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
    function: Callables = getattr(np.linalg if module else np, name)
    return _zero_where_masked(function, function.nin) if isinstance(function, np.ufunc) else function


def _zero_where_masked(function: Callables, inputs: int) -> Callables:
    """`function` of `inputs` operands, with zeros where its mask `where` leaves a fresh result alone."""

    def call(*arguments: Any, **options: Any) -> Any:
        result = function(*arguments, **options)
        where = options.get("where", True)
        if where is True:
            return result
        out = arguments[inputs:] or options.get("out")
        given = out if isinstance(out, tuple) else (out,)
        if not isinstance(result, tuple):
            return result if given[0] is not None else _masked(result, where)
        given += (None,) * (len(result) - len(given))
        return tuple(r if o is not None else _masked(r, where) for r, o in zip(result, given, strict=True))

    call.__name__ = function.__name__
    return call


def _masked(result: Any, where: Any) -> Any:
    """A fresh result with zeros where the mask is False, in place."""
    if isinstance(result, np.ndarray):
        np.copyto(result, np.zeros((), result.dtype), where=np.logical_not(where))
        return result
    return result if where else np.zeros((), getattr(result, "dtype", object))[()]


def _empty(shape: Any, dtype: Any = float, order: Any = "C") -> Any:
    return np.zeros(shape, dtype, order)


def _empty_like(prototype: Any, /, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None) -> Any:
    return np.zeros_like(prototype, dtype, order, subok, shape)


def _pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    plain = isinstance(mode, str) and mode == "empty" and not kwargs
    return np.pad(array, pad_width, "constant" if plain else mode, **kwargs)


def _reshape(a: Any, /, shape: Any, order: Any = "C") -> Any:
    """NumPy 2.0 calls the parameter `newshape`."""
    return np.reshape(a, shape, order)


def _eig(a: Any) -> Any:
    values, vectors = np.linalg.eig(a)
    return (values.real, vectors.real) if _is_real(a, values) else (values, vectors)


def _eigvals(a: Any) -> Any:
    values = np.linalg.eigvals(a)
    return values.real if _is_real(a, values) else values


def _is_real(a: Any, eigenvalues: Any) -> bool:
    """Whether eigenvalues come as real numbers; NumPy gives complex ones throughout since 2.5."""
    return bool(np.isrealobj(np.asarray(a)) and np.all(eigenvalues.imag == 0))


def _with_sound_out(function: Callables, position: int, unsound: Callable[[Any], bool]) -> Callables:
    """`function` without the arrays for `out` with which NumPy (seen in 2.4.6) writes where it must not."""

    def call(*arguments: Any, **options: Any) -> Any:
        out = arguments[position] if len(arguments) > position else options.get("out")
        if isinstance(out, np.ndarray) and unsound(out):
            raise ValueError("the array given as out has a shape or type that does not fit")
        return function(*arguments, **options)

    return call


def _holds_objects(array: Any) -> bool:
    return bool(array.dtype.hasobject)


def _has_no_axis(array: Any) -> bool:
    return bool(array.ndim == 0)


_OWN: dict[str, Callables] = {
    "all": _with_sound_out(np.all, 2, _holds_objects),
    "any": _with_sound_out(np.any, 2, _holds_objects),
    "cumprod": _with_sound_out(np.cumprod, 3, _has_no_axis),
    "cumsum": _with_sound_out(np.cumsum, 3, _has_no_axis),
    "clip": _zero_where_masked(np.clip, 3),
    "empty": _empty,
    "linalg.eig": _eig,
    "linalg.eigvals": _eigvals,
    "empty_like": _empty_like,
    "pad": _pad,
    "reshape": _reshape,
    "trapz": np.trapezoid,
}

"""Hooks that make NumPy give other results that are just as right: an answer that follows them is not well defined.

What may differ between processors, releases or thread counts: the order of ties where no stable order was asked for,
the order inside a partition, the order of eigenvalues, signs of vectors, and the last digits of inexact results.
"""

import ast
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

NOISE = 1e-13
"""Relative size of the noise on inexact results and on inputs."""

ORDERED = frozenset({"argsort", "argpartition", "partition"})
UNORDERED_VALUES = frozenset({"linalg.eig", "linalg.eigvals", "roots"})
SIGNED = frozenset({"linalg.eig", "linalg.eigh", "linalg.svd", "linalg.qr"})

_ROUNDED = frozenset(
    """
    acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cos cosh deg2rad degrees
    hypot rad2deg radians sin sinc sinh tan tanh unwrap exp exp2 expm1 log log10 log1p log2 logaddexp logaddexp2 power
    pow float_power cbrt sum mean average std var prod cumsum cumprod cov corrcoef percentile quantile trapz interp
    gradient convolve correlate polyval linspace logspace geomspace dot inner vdot matmul cross tensordot trace
    einsum nansum nanmean nanstd nanvar linalg.norm linalg.vector_norm linalg.matrix_norm linalg.multi_dot
    linalg.matrix_power linalg.vecdot linalg.matmul linalg.tensordot linalg.trace linalg.cross
    operator.power operator.matmul math.acos math.acosh math.asin math.asinh math.atan math.atan2 math.atanh math.cbrt
    math.cos math.cosh math.degrees math.dist math.erf math.erfc math.exp math.exp2 math.expm1 math.gamma math.hypot
    math.lgamma math.log math.log10 math.log1p math.log2 math.pow math.radians math.sin math.sinh math.tan math.tanh
    """.split()
)
"""Functions whose float results may differ in the last digits, unless the result has few digits."""

_ITERATED = frozenset(
    """
    linalg.solve linalg.inv linalg.det linalg.pinv linalg.lstsq linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh
    linalg.svd linalg.svdvals linalg.qr linalg.cholesky linalg.cond linalg.tensorsolve linalg.tensorinv polyfit roots
    """.split()
)
"""Functions whose float results may differ in the last digits even where they look round."""

_EXACT_INTEGERS = 2.0**53
_DIGITS = 13


def ties(function_id: str, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Equal elements in the other order where the solution asked for no stable one; the other order in partitions."""
    if function_id == "argsort":
        return _argsort(*args, **options)
    if function_id == "argpartition":
        return _argpartition(*args, **options)
    if function_id == "partition":
        return _partition(*args, **options)
    return function(*args, **options)


def order(function_id: str, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> Any:
    """Eigenvalues (with their vectors) and roots in the opposite order."""
    result = function(*args, **options)
    if function_id == "linalg.eig":
        return type(result)(result[0][..., ::-1], result[1][..., ::-1])
    return result[..., ::-1] if function_id in UNORDERED_VALUES else result


class Signs:
    """Eigenvectors and singular vectors times -1 (i where complex): all of them, or every other."""

    def __init__(self, step: str) -> None:
        self._step = int(step)

    def __call__(
        self, function_id: str, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]
    ) -> Any:
        result = function(*args, **options)
        if function_id in ("linalg.eig", "linalg.eigh"):
            vectors = result[1]
            return type(result)(result[0], vectors * self._factors(vectors))
        if function_id == "linalg.svd" and isinstance(result, tuple):
            return _again(result, self._svd(*result))
        if function_id == "linalg.qr":
            return self._qr(result)
        return result

    def _factors(self, vectors: Any) -> Any:
        factors = np.ones(vectors.shape[-1], dtype=vectors.dtype)
        factors[:: self._step] = 1j if np.iscomplexobj(vectors) else -1
        return factors

    def _svd(self, left: Any, values: Any, right: Any) -> tuple[Any, Any, Any]:
        count = values.shape[-1]
        factors = np.ones(max(left.shape[-1], right.shape[-2]))
        factors[: count : self._step] = -1
        return left * factors[: left.shape[-1]], values, right * factors[: right.shape[-2], None]

    def _qr(self, result: Any) -> Any:
        if not isinstance(result, tuple):
            return result * self._factors(np.swapaxes(result, -1, -2)).real[:, None]
        if np.iscomplexobj(result[0]) or result[0].shape[-1] != result[1].shape[-2]:
            return result
        factors = self._factors(result[0])
        return _again(result, (result[0] * factors, result[1] * factors[:, None]))


class Noise:
    """Noise in the last digits of inexact results; equal results get equal noise.

    Seeds `n` and `-n` are opposite; seed 0 rounds to 13 digits instead, as lucky rounding would. What iterated
    functions are given differs in its last bit, so that results which such a small step changes much are found.
    """

    def __init__(self, seed: str) -> None:
        self._seed = int(seed)

    def __call__(
        self, function_id: str, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]
    ) -> Any:
        if function_id in _ITERATED:
            return self._noisy(function(*map(self._moved, args), **options), iterated=True)
        result = function(*args, **options)
        if function_id == "linalg.slogdet":
            return _again(result, (result[0], self._noisy(result[1], iterated=True)))
        inexact = function_id in _ROUNDED and options.get("out") is None
        return self._noisy(result, iterated=False) if inexact else result

    def _moved(self, argument: Any) -> Any:
        if not isinstance(argument, list | tuple | np.ndarray):
            return argument
        array = np.asarray(argument)
        numeric = array.dtype.kind in "iufc"
        return array * (1 + np.finfo(float).eps * _signs(array, self._seed)) if numeric else argument

    def _noisy(self, value: Any, *, iterated: bool) -> Any:
        if isinstance(value, tuple | list):
            return _again(value, [self._noisy(item, iterated=iterated) for item in value])
        array = np.asarray(value)
        if array.dtype.kind not in "fc" or not array.size:
            return value
        with np.errstate(all="ignore"):
            if not iterated:
                return np.where(_few_digits(array), array, self._near(array))[()]
            scale = np.max(np.abs(array), initial=0.0, where=np.isfinite(array))
            zero = NOISE * min(scale, 1.0) * _signs(array, self._seed)
            return np.where(array == 0, zero, self._near(array))[()]

    def _near(self, array: Any) -> Any:
        if self._seed:
            return array * (1 + NOISE * _signs(array, self._seed))
        if np.iscomplexobj(array):
            return self._near(array.real) + 1j * self._near(array.imag)
        unit = 10.0 ** (_DIGITS - 1 - np.floor(np.log10(np.abs(array))))
        rounded = np.rint(array * unit) / unit
        return np.where(np.isfinite(rounded), rounded, array)


def noisy_source(source: str, seed: int) -> str:
    """Source with noise in its float literals, as in `noisy_input`: given numbers may be compared with them."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = noisy_input(node.value, seed)
    return ast.unparse(tree)


def noisy_input(value: Any, seed: int) -> Any:
    """Plain data with noise in the last digits of its floats; equal floats stay equal, round ones stay as they are."""
    if isinstance(value, list | tuple):
        return type(value)(noisy_input(item, seed) for item in value)
    if isinstance(value, complex):
        return complex(noisy_input(value.real, seed), noisy_input(value.imag, seed))
    if not isinstance(value, float) or _few_digits(np.asarray(value)):
        return value
    return value * (1 + NOISE * float(_signs(np.asarray(value), seed)))


def _signs(array: Any, seed: int) -> Any:
    """For each element 1 or -1, which follow from its magnitude; the other one for the opposite seed, 0 for seed 0."""
    bits = np.abs(array).astype(np.float64).view(np.uint64)
    with np.errstate(over="ignore"):
        mixed = (bits ^ np.uint64(abs(seed))) * np.uint64(0x9E3779B97F4A7C15)
    return np.where(mixed >> np.uint64(63), 1.0, -1.0) * np.sign(seed)


def _again(sequence: Any, items: Sequence[Any]) -> Any:
    """A list, tuple or named tuple like `sequence` with other items."""
    kind = type(sequence)
    return kind(*items) if hasattr(sequence, "_fields") else kind(items)


def _few_digits(array: Any) -> Any:
    """Where an array holds whole numbers, or numbers of so few binary digits that every way to compute gives them."""
    if np.iscomplexobj(array):
        return _few_digits(array.real) & _few_digits(array.imag)
    with np.errstate(all="ignore"):
        short = array.astype(np.float32) == array
        whole = (np.rint(array) == array) & (np.abs(array) < _EXACT_INTEGERS)
    return short | whole | ~np.isfinite(array)


def _argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    array = np.asarray(a)
    if kind in ("stable", "mergesort") or stable or order is not None or not array.ndim:
        return np.argsort(array, axis=axis, kind="stable", order=order)
    if axis is None:
        array, axis = array.ravel(), -1
    backwards = np.argsort(np.flip(array, axis), axis=axis, kind="stable")
    return array.shape[axis] - 1 - backwards


def _argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    array = np.asarray(a)
    if axis is None:
        array, axis = array.ravel(), -1
    places = np.moveaxis(_argsort(array, axis), axis, -1)
    length = places.shape[-1]
    cuts = sorted({int(k) % length for k in np.atleast_1d(kth)})
    borders = [0, *(edge for cut in cuts for edge in (cut, cut + 1)), length]
    parts = [places[..., low:high][..., ::-1] for low, high in itertools.pairwise(borders)]
    return np.moveaxis(np.concatenate(parts, axis=-1), -1, axis)


def _partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    array = np.asarray(a)
    if axis is None:
        array, axis = array.ravel(), -1
    return np.take_along_axis(array, _argpartition(array, kth, axis), axis)

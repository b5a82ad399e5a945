"""Functions that might be taken for another.

A problem whose cases cannot tell a function from its neighbours does not ask for that function.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from sebench_tasks.checking import parameters
from sebench_tasks.checking.double import real
from zwc.catalog import load

_GROUPS = (
    {"abs", "absolute", "fabs"},
    {"around", "round", "rint"},
    {"max", "amax"},
    {"min", "amin"},
    {"radians", "deg2rad"},
    {"degrees", "rad2deg"},
    {"array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "copy"},
    {"eye", "identity"},
    {"compress", "extract"},
    {"nonzero", "where"},
    {"concatenate", "hstack"},
    {"diag", "diagonal", "linalg.diagonal"},
    {"cross", "linalg.cross"},
    {"outer", "linalg.outer"},
    {"trace", "linalg.trace"},
    {"dot", "inner", "vdot", "matmul", "tensordot"}
    | {"linalg.matmul", "linalg.tensordot", "linalg.vecdot", "linalg.multi_dot"},
    {"linalg.norm", "linalg.vector_norm", "linalg.matrix_norm"},
    {"linalg.solve", "linalg.tensorsolve"},
    {"array2string", "array_str"},
)
"""Functions that do the same with the arguments of plain problems."""

_COVERED_BY: Mapping[str, frozenset[str]] = {
    "absolute": frozenset({"linalg.norm", "linalg.vector_norm"}),
    "abs": frozenset({"linalg.norm", "linalg.vector_norm"}),
    "maximum": frozenset({"fmax"}),
    "minimum": frozenset({"fmin"}),
    "logical_and": frozenset({"minimum", "fmin"}),
    "logical_or": frozenset({"maximum", "fmax"}),
    "logical_xor": frozenset({"not_equal"}),
    "equal": frozenset({"isclose"}),
    "array_equal": frozenset({"array_equiv"}),
    "mean": frozenset({"average"}),
    "nonzero": frozenset({"ix_"}),
    "count_nonzero": frozenset({"sum"}),
    "reshape": frozenset({"resize"}),
    "sort": frozenset({"sort_complex"}),
    "diag": frozenset({"diagflat"}),
    "vstack": frozenset({"concatenate", "stack"}),
    "positive": frozenset({"conj", "conjugate", "nan_to_num"}),
    "linalg.inv": frozenset({"linalg.pinv"}),
    "linalg.eigvalsh": frozenset({"linalg.eigvals"}),
    "linalg.eigh": frozenset({"linalg.eig"}),
}
"""Neighbours that also do what the key does, for what the key accepts; not the other way round."""

_ARBITRARY = frozenset({"empty", "empty_like"})
"""Functions whose results are never the same for certain."""

_NUMERIC_LOGIC = frozenset({"maximum", "minimum", "fmax", "fmin"})
"""Members of the family of logic that do not answer with bools."""


@functools.cache
def neighbours(target: str) -> tuple[str, ...]:
    """Function ids of the target's family or with its required parameters, without other names of the same function.

    Only functions that the installed NumPy has. For a target that answers with bools, only those of its family: where
    just the truth of a value counts, many numeric functions do what it does.
    """
    return tuple(
        name
        for name in load()
        if name not in {target, *_ARBITRARY}
        and _comparable(target, name)
        and _resolved(name) is not None
        and not _interchangeable(target, name)
    )


def _comparable(target: str, other: str) -> bool:
    family = load()[target].family
    same_parameters = parameters.required(other) == parameters.required(target)
    boolean = family == "logic" and target not in _NUMERIC_LOGIC
    return load()[other].family == family or (same_parameters and not boolean)


def _interchangeable(target: str, other: str) -> bool:
    same_object = _resolved(target) is _resolved(other)
    grouped = any(target in group and other in group for group in _GROUPS)
    return same_object or grouped or other in _COVERED_BY.get(target, ())


@functools.cache
def _resolved(function_id: str) -> Callable[..., Any] | None:
    try:
        return real(function_id)
    except AttributeError:
        return None

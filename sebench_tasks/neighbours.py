"""Mutants of a solution: each target function replaced by another of its family.

A problem whose cases cannot tell a function from its neighbours does not ask for that function.
"""

import ast
import functools
from collections.abc import Iterator, Mapping
from typing import Any

from sebench_tasks.problems import Problem
from sebench_tasks.translation import names

_GROUPS = (
    {"abs", "absolute", "fabs"},
    {"around", "round", "rint"},
    {"max", "amax"},
    {"min", "amin"},
    {"radians", "deg2rad"},
    {"degrees", "rad2deg"},
    {"array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "copy"},
    {"zeros", "ones", "empty"},
    {"zeros_like", "ones_like", "empty_like"},
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
)
"""Functions that do the same with the arguments of plain problems."""

_COVERED_BY: Mapping[str, frozenset[str]] = {
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
    "linalg.inv": frozenset({"linalg.pinv"}),
    "linalg.eigvalsh": frozenset({"linalg.eigvals"}),
    "linalg.eigh": frozenset({"linalg.eig"}),
}
"""Neighbours that also do what the key does, for what the key accepts; not the other way round."""


def mutants(problem: Problem) -> Iterator[tuple[str, str, str]]:
    """`(target, neighbour, source)` for every target that the solution spells out and every neighbour of it."""
    tree = ast.parse(problem.solution)
    spelled = names.function_paths(problem.solution)
    for target in problem.functions:
        if target not in spelled:
            continue
        for neighbour in neighbours(target):
            yield target, neighbour, _replaced(tree, target, neighbour)


def neighbours(target: str) -> list[str]:
    """Function ids of the target's family that are not the same function under another name."""
    return [name for name in _family(target) if name != target and not _interchangeable(target, name)]


def _family(target: str) -> list[str]:
    from zwc.catalog import load

    entries = load()
    return [name for name, entry in entries.items() if entry.family == entries[target].family]


def _interchangeable(target: str, other: str) -> bool:
    same_object = _resolved(target) is _resolved(other)
    grouped = any(target in group and other in group for group in _GROUPS)
    return same_object or grouped or other in _COVERED_BY.get(target, ())


@functools.cache
def _resolved(function_id: str) -> Any:
    import numpy as np

    value: Any = np
    for part in function_id.split("."):
        value = getattr(value, part, function_id)
    return value


def _replaced(tree: ast.Module, target: str, neighbour: str) -> str:
    """Source in which every use of `target` is a use of `neighbour`."""
    bound = names.bindings(tree)
    return "import numpy as _np\n" + ast.unparse(_Replacer(bound, target, neighbour).visit(_copied(tree)))


def _copied(tree: ast.Module) -> ast.Module:
    return ast.parse(ast.unparse(tree))


class _Replacer(ast.NodeTransformer):
    def __init__(self, bound: Mapping[str, str], target: str, neighbour: str) -> None:
        self._bound = bound
        self._target = target
        self._neighbour = ast.parse(f"_np.{neighbour}", mode="eval").body

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._replace(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._replace(node)

    def _replace(self, node: ast.Attribute | ast.Name) -> ast.AST:
        path = names.path_of(node, self._bound)
        if path and names.function_id(path) == self._target:
            return ast.copy_location(self._neighbour, node)
        return self.generic_visit(node)

"""Mutants of a solution: the target's calls with other arguments.

Cases that a mutant passes do not ask for the argument that it lost or changed. A mutant's name says what was done.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sebench_tasks.checking import parameters
from sebench_tasks.checking.texts import METHODS
from sebench_tasks.problems import Problem
from sebench_tasks.translation import names
from zwc.catalog import load

KEPT = frozenset(
    """
    dtype kind stable out copy casting subok like assume_unique hermitian UPLO optimize overwrite_input device
    rcond rtol tol
    """.split()
)
"""Parameters that may change how a result comes about or is stored, but not its value for plain problems."""

_AXES = frozenset({"axis", "axis1", "axis2", "axisa", "axisb", "axisc", "source", "destination", "start"})
_MODES = {
    **dict.fromkeys(("convolve", "correlate"), ("full", "same", "valid")),
    **dict.fromkeys(("take", "put", "choose"), ("raise", "wrap", "clip")),
    "pad": ("constant", "edge", "reflect", "symmetric", "wrap"),
    "linalg.qr": ("reduced", "complete", "r"),
}
_TEXTS = {
    "side": ("left", "right"),
    "indexing": ("xy", "ij"),
    "order": ("C", "F"),
    "method": ("linear", "lower", "higher", "nearest", "midpoint"),
}
"""Accepted texts by parameter; those of `mode` depend on the function."""

_SYMMETRIC = frozenset(
    """
    add multiply maximum minimum fmax fmin logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor equal
    not_equal hypot gcd lcm logaddexp logaddexp2 inner dot vdot linalg.vecdot intersect1d union1d allclose isclose
    array_equal array_equiv convolve
    """.split()
)
"""Functions of two arguments whose order does not matter, at least for one-dimensional ones."""


@dataclass(frozen=True)
class Mutant:
    """A changed solution and what was changed."""

    name: str
    source: str


@dataclass(frozen=True)
class _Call:
    """A call of a target: `offset` arguments come from the owner of the method."""

    node: ast.Call
    function_id: str
    offset: int


@dataclass(frozen=True)
class _Given:
    """An optional argument of a call: its parameter, and its place among the positional ones or the keywords."""

    parameter: parameters.Parameter
    value: ast.expr
    place: int
    keyword: bool

    @property
    def text(self) -> str:
        return f"{self.parameter.name}={ast.unparse(self.value)}"


def mutants(problem: Problem) -> Iterator[Mutant]:
    """Every mutant of every call of a target."""
    tree = ast.parse(problem.solution)
    for call in _calls(tree, {target for target in problem.functions if target in load()}):
        for given in _optional(call):
            yield from _changed(tree, call, given)
        yield from _swapped(tree, call)


def _calls(tree: ast.Module, targets: set[str]) -> Iterator[_Call]:
    bound = names.bindings(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        path = names.path_of(node.func, bound)
        if path and names.function_id(path) in targets:
            yield _Call(node, names.function_id(path), 0)
        elif path is None and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS & targets:
            yield _Call(node, node.func.attr, 1)


def _optional(call: _Call) -> Iterator[_Given]:
    known = {parameter.name: parameter for parameter in parameters.of(call.function_id)}
    needed = parameters.required(call.function_id)
    positional = [parameter for parameter in known.values() if parameter.positional][call.offset :]
    for place, (value, parameter) in enumerate(zip(call.node.args, positional, strict=False)):
        if isinstance(value, ast.Starred):
            break
        if parameter.name not in needed:
            yield _Given(parameter, value, place, keyword=False)
    for place, keyword in enumerate(call.node.keywords):
        if keyword.arg and keyword.arg not in needed:
            parameter = known.get(keyword.arg, parameters.Parameter(keyword.arg, ..., positional=False))
            yield _Given(parameter, keyword.value, place, keyword=True)


def _changed(tree: ast.Module, call: _Call, given: _Given) -> Iterator[Mutant]:
    if given.parameter.name in KEPT:
        return
    value = _literal(given.value)
    if not _is_default(given.parameter, value):
        yield Mutant(f"{given.text} dropped from {call.function_id}", _without(tree, call, given))
    for other in _others(call.function_id, given.parameter.name, value):
        name = f"{given.text} changed to {other!r} in {call.function_id}"
        yield Mutant(name, _with(tree, call, given, ast.Constant(other)))


def _is_default(parameter: parameters.Parameter, value: Any) -> bool:
    """Whether a value is the default; a positive axis may well be the last one."""
    default = parameter.default
    last = parameter.name in _AXES and default == -1 and isinstance(value, int) and value > 0
    return last or (type(value) is type(default) and bool(value == default))


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return parameters.NO_DEFAULT


def _others(function_id: str, name: str, value: Any) -> Sequence[Any]:
    """Other values for the parameter that are worth a mutant."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (0 if value else 1,) if name in _AXES else (value - 1, value + 1)
    if isinstance(value, str):
        accepted = _MODES.get(function_id, ()) if name == "mode" else _TEXTS.get(name, ())
        return [text for text in accepted if text != value]
    return ()


def _without(tree: ast.Module, call: _Call, given: _Given) -> str:
    if given.keyword:
        return _rendered(tree, call.node, call.node.args, _removed(call.node.keywords, given.place))
    positional = [p.name for p in parameters.of(call.function_id) if p.positional][call.offset :]
    later = [
        ast.keyword(arg=name, value=value)
        for name, value in zip(positional[given.place + 1 :], call.node.args[given.place + 1 :], strict=False)
    ]
    return _rendered(tree, call.node, call.node.args[: given.place], later + call.node.keywords)


def _with(tree: ast.Module, call: _Call, given: _Given, value: ast.expr) -> str:
    args, keywords = list(call.node.args), list(call.node.keywords)
    if given.keyword:
        keywords[given.place] = ast.keyword(arg=given.parameter.name, value=value)
    else:
        args[given.place] = value
    return _rendered(tree, call.node, args, keywords)


def _swapped(tree: ast.Module, call: _Call) -> Iterator[Mutant]:
    args = call.node.args
    starred = any(isinstance(value, ast.Starred) for value in args)
    if call.offset or len(args) != 2 or starred or call.function_id in _SYMMETRIC:
        return
    if ast.dump(args[0]) == ast.dump(args[1]):
        return
    yield Mutant(f"arguments of {call.function_id} swapped", _rendered(tree, call.node, args[::-1], call.node.keywords))


def _removed(items: list[ast.keyword], place: int) -> list[ast.keyword]:
    return items[:place] + items[place + 1 :]


def _rendered(tree: ast.Module, node: ast.Call, args: list[ast.expr], keywords: list[ast.keyword]) -> str:
    """Source of the tree in which the call has other arguments; the tree stays as it was."""
    kept = node.args, node.keywords
    node.args, node.keywords = args, keywords
    try:
        return ast.unparse(tree)
    finally:
        node.args, node.keywords = kept

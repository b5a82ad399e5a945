"""What a solution's expressions hold, as far as its own text tells.

A rough, flow-insensitive inference per function. It only decides between two correct translations, so that the
oracle's answers read naturally: where it knows nothing, the translator emits code that asks at run time.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum

from sebench_tasks.translation import names

_PASSES = 3
_LIST_METHODS = frozenset({"tolist", "item"})


class Kind(IntEnum):
    """What an expression holds; higher wins where a name has several."""

    UNKNOWN = 0
    SEQUENCE = 1
    """A Python sequence of NumPy values."""
    ARRAY = 2
    NUMPY = 3
    """An array or a NumPy scalar."""


Environment = dict[str, Kind]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Kinds:
    """Inferred kinds of the names of every function in one module."""

    def __init__(self, tree: ast.Module, bound: Mapping[str, str]) -> None:
        self._bound = bound
        self._returns: dict[str, Kind] = {}
        self._environments: dict[int, Environment] = {}
        self._unsure: dict[int, set[str]] = {}
        for _ in range(_PASSES):
            self._infer(tree, {})

    def environment(self, node: ast.AST) -> Environment:
        """Kinds by name inside a function or the module."""
        return self._environments.get(id(node), {})

    def unsure(self, node: ast.AST) -> set[str]:
        """Names inside a function or the module that also hold something unknown at times."""
        return self._unsure.get(id(node), set())

    def of(self, node: ast.expr, environment: Mapping[str, Kind]) -> Kind:
        """Kind of an expression of the original, untranslated tree."""
        match node:
            case ast.Name(id=name):
                return environment.get(name, Kind.UNKNOWN)
            case ast.Call():
                return self._call(node, environment)
            case ast.BinOp(left=left, right=right):
                return self._operation([left, right], environment)
            case ast.UnaryOp(operand=operand):
                return Kind.UNKNOWN if isinstance(node.op, ast.Not) else self._operation([operand], environment)
            case ast.Compare(left=left, comparators=others):
                return self._operation([left, *others], environment)
            case ast.Subscript(value=value, slice=index):
                return self._item(self.of(value, environment), has_slice(index))
            case ast.Attribute(value=value, attr=("T" | "mT" | "real" | "imag" | "flat")):
                return self._operation([value], environment)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                inner = [self.of(item, environment) for item in items]
                return Kind.SEQUENCE if inner and min(inner) >= Kind.ARRAY else Kind.UNKNOWN
            case ast.ListComp(elt=item):
                return Kind.SEQUENCE if self.of(item, environment) >= Kind.ARRAY else Kind.UNKNOWN
            case ast.IfExp(body=body, orelse=other):
                return max(self.of(body, environment), self.of(other, environment))
        return Kind.UNKNOWN

    def _call(self, node: ast.Call, environment: Mapping[str, Kind]) -> Kind:
        path = names.path_of(node.func, self._bound)
        if path is not None:
            return _result_kind(names.function_id(path))
        if isinstance(node.func, ast.Name):
            return self._returns.get(node.func.id, Kind.UNKNOWN)
        if isinstance(node.func, ast.Attribute) and node.func.attr not in _LIST_METHODS:
            owner = self.of(node.func.value, environment)
            if owner >= Kind.ARRAY:
                shaped = node.func.attr in ("reshape", "astype", "copy", "flatten", "ravel", "transpose")
                return owner if shaped else Kind.NUMPY
        return Kind.UNKNOWN

    def _operation(self, operands: Iterable[ast.expr], environment: Mapping[str, Kind]) -> Kind:
        kinds = {self.of(operand, environment) for operand in operands}
        return next((kind for kind in (Kind.ARRAY, Kind.NUMPY) if kind in kinds), Kind.UNKNOWN)

    def _item(self, owner: Kind, sliced: bool) -> Kind:
        if owner == Kind.UNKNOWN or (sliced and owner != Kind.NUMPY):
            return owner
        return Kind.NUMPY

    def _infer(self, scope: ast.AST, outer: Environment) -> None:
        environment = dict(outer)
        for _ in range(_PASSES):
            for name, kind in self._assignments(scope, environment):
                environment[name] = max(environment.get(name, Kind.UNKNOWN), kind)
        self._environments[id(scope)] = environment
        unknown = {name for name, kind in self._assignments(scope, environment) if kind == Kind.UNKNOWN}
        self._unsure[id(scope)] = unknown | _parameters(scope)
        for node in own_nodes(scope):
            if isinstance(node, FunctionNode):
                self._infer(node, environment)
        if isinstance(scope, FunctionNode):
            returned = [node.value for node in own_nodes(scope) if isinstance(node, ast.Return) and node.value]
            kinds = [self.of(value, environment) for value in returned]
            self._returns[scope.name] = max(kinds, default=Kind.UNKNOWN)

    def _assignments(self, scope: ast.AST, environment: Environment) -> Iterator[tuple[str, Kind]]:
        """Names that a function's own statements bind, with what they get; a name may come several times."""
        for node in own_nodes(scope):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        yield from self._bound_names(target, value, environment)
                case (
                    ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value)
                ):
                    yield from self._bound_names(target, value, environment)
                case ast.AugAssign(target=ast.Name(id=name), value=value):
                    yield name, self._operation([value, ast.Name(id=name, ctx=ast.Load())], environment)
                case ast.For(target=target, iter=iterable) | ast.comprehension(target=target, iter=iterable):
                    yield from self._looped(target, iterable, environment)

    def _bound_names(self, target: ast.expr, value: ast.expr, environment: Environment) -> Iterator[tuple[str, Kind]]:
        match target, value:
            case ast.Name(id=name), _:
                yield name, self.of(value, environment)
            case (
                (ast.Tuple(elts=parts) | ast.List(elts=parts)),
                (ast.Tuple(elts=sources) | ast.List(elts=sources)),
            ) if len(parts) == len(sources):
                for part, source in zip(parts, sources, strict=True):
                    yield from self._bound_names(part, source, environment)
            case ((ast.Tuple() | ast.List()), _):
                yield from _parts(target, self.of(value, environment))

    def _looped(self, target: ast.expr, iterable: ast.expr, environment: Environment) -> Iterator[tuple[str, Kind]]:
        match iterable:
            case ast.Call(func=ast.Name(id="enumerate"), args=[source, *_]) if isinstance(target, ast.Tuple):
                yield from self._looped(target.elts[-1], source, environment)
            case ast.Call(func=ast.Name(id="zip"), args=sources) if isinstance(target, ast.Tuple):
                for part, source in zip(target.elts, sources, strict=False):
                    yield from self._looped(part, source, environment)
            case _:
                yield from _parts(target, self.of(iterable, environment))


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a function or module, without the insides of the functions defined in it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, FunctionNode):
            yield from own_nodes(child)


def has_slice(index: ast.expr) -> bool:
    """Whether an index holds a slice, so that the result keeps an axis."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(part, ast.Slice) for part in parts)


def _result_kind(path: str) -> Kind:
    if path in names.PLAIN_RESULTS or path in names.BUILTIN_TYPES:
        return Kind.UNKNOWN
    if path in names.SEQUENCE_RESULTS:
        return Kind.SEQUENCE
    return Kind.ARRAY if path in names.ARRAY_RESULTS else Kind.NUMPY


def _parts(target: ast.expr, whole: Kind) -> Iterator[tuple[str, Kind]]:
    kind = Kind.UNKNOWN if whole == Kind.UNKNOWN else Kind.NUMPY
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, kind


def _parameters(scope: ast.AST) -> set[str]:
    if not isinstance(scope, FunctionNode):
        return set()
    found = scope.args
    rest = [argument for argument in (found.vararg, found.kwarg) if argument]
    return {argument.arg for argument in [*found.posonlyargs, *found.args, *found.kwonlyargs, *rest]}

"""A stand-in for NumPy in which every call passes through a hook, so that a run can count, change or replace calls.

Methods of arrays are rewritten so that they pass through it as the functions of their names; `@`, `**` and the
functions of `math` do under the ids `operator.matmul`, `operator.power` and `math.<name>`.
"""

import ast
import builtins
import math
import operator
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any, Protocol

import numpy as np

from sebench_tasks.checking.texts import METHODS
from sebench_tasks.translation import names

_METHOD, _OPERATOR = "__method__", "__operator__"
_OPERATORS = {ast.MatMult: "matmul", ast.Pow: "power"}
_OPERATIONS: dict[str, Callable[..., Any]] = {"matmul": operator.matmul, "power": operator.pow}


class Hook(Protocol):
    """Answers one call of a NumPy function: by calling `function`, or in a way of its own."""

    def __call__(
        self, function_id: str, function: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]
    ) -> Any: ...


def compiled(source: str) -> CodeType:
    """A solution in which methods and operators of arrays ask the double. Raises SyntaxError."""
    tree = ast.parse(source)
    rewritten = _Rewriter(names.bindings(tree)).visit(tree)
    return compile(ast.fix_missing_locations(rewritten), "solution.py", "exec")


def namespace(hook: Hook) -> dict[str, Any]:
    """Globals for a compiled solution: importing NumPy there gives the double."""

    def method(owner: Any, name: str) -> Any:
        if isinstance(owner, np.ndarray | np.generic):
            return lambda *args, **options: hook(name, getattr(np, name), (owner, *args), options)
        return getattr(owner, name)

    def operate(name: str, one: Any, other: Any) -> Any:
        return hook(f"operator.{name}", _OPERATIONS[name], (one, other), {})

    imports = {**vars(builtins), "__import__": _importer(hook)}
    return {"__name__": "solution", "__builtins__": imports, _METHOD: method, _OPERATOR: operate}


def real(function_id: str) -> Callable[..., Any]:
    """NumPy's function of a function id. Raises AttributeError where this NumPy lacks it."""
    value: Any = np
    for part in ("trapezoid" if function_id == "trapz" else function_id).split("."):
        value = getattr(value, part)
    function: Callable[..., Any] = value
    return function


def _importer(hook: Hook) -> Callable[..., Any]:
    def importing(name: str, *args: Any, **options: Any) -> Any:
        found = __import__(name, *args, **options)
        if found is math:
            return _Module(math, "math", hook)
        return _Module(found, found.__name__.partition(".")[2], hook) if names.is_numpy(name) else found

    return importing


class _Module:
    """A module of NumPy whose functions ask the hook."""

    def __init__(self, module: ModuleType, path: str, hook: Hook) -> None:
        self.__module = module
        self.__path = path
        self.__hook = hook

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.__module, name)
        path = f"{self.__path}.{name}".lstrip(".")
        if isinstance(value, ModuleType):
            return _Module(value, path, self.__hook)
        if callable(value) and (not isinstance(value, type) or value is np.vectorize):
            return Hooked(names.function_id(path), value, self.__hook)
        return value


class Hooked:
    """A function that asks the hook when it is called; its ufunc methods do too."""

    def __init__(self, function_id: str, function: Callable[..., Any], hook: Hook) -> None:
        self.__function_id = function_id
        self.__function = function
        self.__hook = hook

    def __call__(self, *args: Any, **options: Any) -> Any:
        result = self.__hook(self.__function_id, self.__function, args, options)
        return Hooked(self.__function_id, result, self.__hook) if isinstance(result, np.vectorize) else result

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.__function, name)
        return Hooked(self.__function_id, value, self.__hook) if name in names.UFUNC_METHODS else value


class _Rewriter(ast.NodeTransformer):
    def __init__(self, bound: dict[str, str]) -> None:
        self._bound = bound

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        method = node.func
        if isinstance(method, ast.Attribute) and method.attr in METHODS and not names.path_of(method, self._bound):
            node.func = _call(_METHOD, method.value, ast.Constant(method.attr))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.op))
        return _call(_OPERATOR, ast.Constant(name), node.left, node.right) if name else node


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=list(args), keywords=[])

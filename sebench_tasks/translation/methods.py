"""Array methods, attributes and ufunc methods as NumPy-form calls of functions.

`zwc` arrays have no methods, so `x.sum(axis=0)` is first written as `np.sum(x, axis=0)`; the translator then renames
it like any other call. Functions outside the catalog name a shim.
"""

import ast
import sys
from collections.abc import Callable, Mapping

from sebench_tasks.errors import OracleError

NUMPY = "__numpy__"
"""Name that stands for NumPy in rewritten code: no solution spells it."""

SAME_ARGUMENTS = frozenset(
    {"sum", "prod", "mean", "std", "var", "max", "min", "argmax", "argmin", "any", "all", "cumsum", "cumprod", "ptp"}
    | {"round", "clip", "dot", "ravel", "repeat", "squeeze", "swapaxes", "take", "trace", "diagonal", "choose"}
    | {"conj", "conjugate", "nonzero", "searchsorted", "argsort", "argpartition", "put", "tolist"}
)
"""Methods whose arguments are those of the function after its first."""

AMBIGUOUS: Mapping[str, str] = {"copy": "copy_of", "sort": "sort_in_place", "partition": "partition_of"}
"""Methods that lists, dicts or strings have too, with the shim that asks at run time."""

UNSUPPORTED = frozenset(
    {"view", "tobytes", "byteswap", "dump", "dumps", "getfield", "setfield", "setflags", "resize", "newbyteorder"}
    | {"flags", "strides", "base", "itemsize", "nbytes", "ctypes", "tofile"}
)
"""What NumPy arrays have and `zwc` has no counterpart for."""

ATTRIBUTE_FUNCTIONS: Mapping[str, str] = {
    "real": "real",
    "imag": "imag",
    "flat": "ravel",
    "mT": "linalg.matrix_transpose",
}
"""Attributes with the function that gives the same."""

RESULT_FIELDS: Mapping[str, int] = {
    "eigenvalues": 0, "eigenvectors": 1, "U": 0, "S": 1, "Vh": 2, "Q": 0, "R": 1, "sign": 0, "logabsdet": 1,
}  # fmt: skip
"""Fields of the named tuples of `numpy.linalg`, which `zwc` returns as plain tuples."""

_FLOAT_LIMITS: Mapping[str, float] = {
    "eps": sys.float_info.epsilon,
    "max": sys.float_info.max,
    "min": -sys.float_info.max,
    "tiny": sys.float_info.min,
}

_UFUNC_FUNCTIONS: Mapping[str, str] = {
    "add.reduce": "sum",
    "multiply.reduce": "prod",
    "maximum.reduce": "max",
    "minimum.reduce": "min",
    "logical_and.reduce": "all",
    "logical_or.reduce": "any",
    "add.accumulate": "cumsum",
    "multiply.accumulate": "cumprod",
}

_UFUNC_SHIMS: Mapping[str, str] = {
    "reduce": "reduce_by",
    "accumulate": "accumulate_by",
    "outer": "outer_by",
    "at": "apply_at",
}


def call(path: str, args: list[ast.expr], keywords: list[ast.keyword] | None = None) -> ast.Call:
    """A NumPy-form call of the function or shim at `path`."""
    return ast.Call(func=function(path), args=args, keywords=keywords or [])


def function(path: str) -> ast.expr:
    """A NumPy-form expression for the function at `path`."""
    node: ast.expr = ast.Name(id=NUMPY, ctx=ast.Load())
    for part in path.split("."):
        node = ast.Attribute(value=node, attr=part, ctx=ast.Load())
    return node


def method_call(method: str, owner: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr | None:
    """`owner.method(...)` with functions; None for a method that is not an array's own.

    Raises:
        OracleError: arguments for which there is no counterpart.
    """
    if method in SAME_ARGUMENTS:
        return call(method, [owner, *args], keywords)
    special = _SPECIAL.get(method)
    return None if special is None else special(owner, args, keywords)


def ufunc_call(path: str, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    """`np.add.reduce(...)` and its like with functions; their axis is 0 by default."""
    if path in _UFUNC_FUNCTIONS:
        axis_given = len(args) > 1 or any(keyword.arg == "axis" for keyword in keywords)
        axis = [] if axis_given else [ast.keyword(arg="axis", value=ast.Constant(0))]
        return call(_UFUNC_FUNCTIONS[path], args, [*keywords, *axis])
    name, _, method = path.rpartition(".")
    return call(_UFUNC_SHIMS[method], [function(name), *args], keywords)


def subscript(value: ast.expr, index: ast.expr) -> ast.Subscript:
    """`value[index]`."""
    return ast.Subscript(value=value, slice=index, ctx=ast.Load())


def assign_all(target: ast.expr, value: ast.expr) -> ast.Assign:
    """`target[...] = value`."""
    whole = ast.Subscript(value=target, slice=ast.Constant(...), ctx=ast.Store())
    return ast.Assign(targets=[whole], value=value)


def as_tuple(index: ast.expr) -> ast.Tuple:
    """The parts of an index as a tuple."""
    return index if isinstance(index, ast.Tuple) else ast.Tuple(elts=[index], ctx=ast.Load())


def row_part(part: ast.expr) -> ast.expr:
    """One part of `np.r_[...]`: a range or something to join."""
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        raise OracleError("no counterpart for the text form of np.r_")
    if not isinstance(part, ast.Slice):
        return call("atleast_1d", [part])
    if part.upper is None:
        raise OracleError("no counterpart for an open slice in np.r_")
    arguments = [part.lower or ast.Constant(0), part.upper, *([part.step] if part.step else [])]
    return call("arange", arguments)


def slice_calls(index: ast.expr) -> ast.expr:
    """An index as an expression: slices become calls of `slice`."""
    if isinstance(index, ast.Tuple):
        return ast.Tuple(elts=[slice_calls(part) for part in index.elts], ctx=ast.Load())
    if not isinstance(index, ast.Slice):
        return index
    parts = [part or ast.Constant(None) for part in (index.lower, index.upper, index.step)]
    return ast.Call(func=ast.Name(id="slice", ctx=ast.Load()), args=parts, keywords=[])


def limit(function: str, dtype: str, attribute: str) -> ast.expr:
    """Value of `np.iinfo(dtype).attribute` or `np.finfo(dtype).attribute`."""
    if function == "finfo" and dtype == "float64" and attribute in _FLOAT_LIMITS:
        return ast.Constant(_FLOAT_LIMITS[attribute])
    digits = dtype.removeprefix("u").removeprefix("int")
    if function == "iinfo" and digits.isdecimal() and attribute in ("min", "max"):
        bits, signed = int(digits), not dtype.startswith("u")
        bound = {"max": 2 ** (bits - signed) - 1, "min": -(2 ** (bits - 1)) if signed else 0}
        return ast.Constant(bound[attribute])
    raise OracleError(f"no counterpart for np.{function}({dtype}).{attribute}")


def _reshape(owner: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    return call("reshape", [owner, *_one_shape(args)], keywords)


def _transpose(owner: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    return call("transpose", [owner, *_one_shape(args)], keywords)


def _one_shape(args: list[ast.expr]) -> list[ast.expr]:
    """`f(2, 3)` and `f((2, 3))` mean the same in methods, not in functions."""
    if len(args) > 1 or (args and isinstance(args[0], ast.Starred)):
        return [ast.Tuple(elts=args, ctx=ast.Load())]
    return args


def _flatten(owner: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    return call("copy", [call("ravel", [owner, *args], keywords)])


def _astype(owner: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    """The function `array` also takes the Python scalars that stand for NumPy scalars."""
    dtypes = args[:1] + [keyword.value for keyword in keywords if keyword.arg == "dtype"]
    if not dtypes:
        raise OracleError("astype without a dtype")
    return call("array", [owner], [ast.keyword(arg="dtype", value=dtypes[0])])


def _item(owner: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    if len(args) > 1:
        return subscript(owner, ast.Tuple(elts=args, ctx=ast.Load()))
    if args and isinstance(args[0], ast.Tuple):
        return subscript(owner, args[0])
    flat = call("reshape", [owner, ast.UnaryOp(op=ast.USub(), operand=ast.Constant(1))])
    return subscript(flat, args[0] if args else ast.Constant(0))


def _compress(owner: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    return call("compress", [*args[:1], owner, *args[1:]], keywords)


_SPECIAL: Mapping[str, Callable[[ast.expr, list[ast.expr], list[ast.keyword]], ast.expr]] = {
    "reshape": _reshape,
    "transpose": _transpose,
    "flatten": _flatten,
    "astype": _astype,
    "item": _item,
    "compress": _compress,
}

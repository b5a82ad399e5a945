"""Plain values from text, without evaluating it.

Two dialects: what problem sources write (`a=[1, 2], b=-float('inf')`) and what Python and NumPy print
(`(array([1., 2.]), np.float64(nan))`). Both become ints, floats, bools, complex numbers, strings, None,
lists, tuples and dicts.
"""

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from sebench_tasks.errors import LiteralError

_FLOAT_WORDS = {"nan": float("nan"), "inf": float("inf"), "NaN": float("nan"), "Infinity": float("inf")}
_PRINTED_NAMES: Mapping[str, Any] = {**_FLOAT_WORDS, "True_": True, "False_": False}
_WRAPPERS = ("array", "asarray", "bool", "bool_", "str_")
_SPACE_BETWEEN = re.compile(r"(?<=[\w.\]])\s+(?=[-+\w.\[])")
"""Where `print` of an array leaves out the comma."""
_NUMBER_PREFIXES = ("int", "uint", "float", "complex", "longdouble", "clongdouble", "longlong")


def parse_arguments(text: str) -> dict[str, Any]:
    """Read `a=[1, 2], b=3` as keyword arguments.

    Raises:
        LiteralError: positional or repeated arguments, or a value that is not a plain literal.
    """
    call = _parse(f"_({text}\n)", text)
    if not isinstance(call, ast.Call) or call.args:
        raise LiteralError(f"expected keyword arguments such as 'a=[1, 2], b=3', got {text!r}")
    arguments: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in arguments:
            raise LiteralError(f"every argument must be named once, got {text!r}")
        arguments[keyword.arg] = _value(keyword.value, printed=False)
    return arguments


def parse_printed(text: str) -> Any:
    """Read a value as Python or NumPy prints it; arrays become nested lists, NumPy scalars plain numbers.

    Raises:
        LiteralError: the text is no plain value, or NumPy has shortened it with `...`.
    """
    try:
        return _value(_parse(text.strip(), text), printed=True)
    except LiteralError:
        spaced = _SPACE_BETWEEN.sub(", ", text.strip())
        if not spaced.startswith("["):
            raise
        return _value(_parse(spaced, text), printed=True)


def _parse(source: str, shown: str) -> ast.expr:
    try:
        return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise LiteralError(f"not a Python value: {shown[:200]!r} ({error})") from error


def _value(node: ast.expr, *, printed: bool) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() | complex() | str() | None):
            return node.value
        case ast.List(elts=items):
            return [_value(item, printed=printed) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item, printed=printed) for item in items)
        case ast.Dict(keys=keys, values=values):
            return _mapping(keys, values, printed=printed)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            number = _number(node.operand, printed=printed)
            return -number if isinstance(node.op, ast.USub) else number
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return _complex(node, printed=printed)
        case ast.Call(func=function, args=arguments):
            return _call(node, _last_name(function), arguments, printed=printed)
        case ast.Name() | ast.Attribute() if printed and _last_name(node) in _PRINTED_NAMES:
            return _PRINTED_NAMES[_last_name(node)]
    raise LiteralError(f"not a plain value: {ast.unparse(node)[:200]}")


def _mapping(keys: list[ast.expr | None], values: list[ast.expr], *, printed: bool) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for key, value in zip(keys, values, strict=True):
        if key is None:
            raise LiteralError("a dict with ** is not a plain value")
        try:
            result[_value(key, printed=printed)] = _value(value, printed=printed)
        except TypeError as error:
            raise LiteralError(f"not a key of a dict: {ast.unparse(key)[:200]}") from error
    return result


def _number(node: ast.expr, *, printed: bool) -> Any:
    value = _value(node, printed=printed)
    if isinstance(value, bool) or not isinstance(value, int | float | complex):
        raise LiteralError(f"expected a number, got {ast.unparse(node)[:200]}")
    return value


def _complex(node: ast.BinOp, *, printed: bool) -> Any:
    left, right = (_number(side, printed=printed) for side in (node.left, node.right))
    if isinstance(left, complex) or not isinstance(right, complex):
        raise LiteralError(f"only sums that write a complex number are values, got {ast.unparse(node)[:200]}")
    return left + right if isinstance(node.op, ast.Add) else left - right


def _call(node: ast.Call, name: str, arguments: list[ast.expr], *, printed: bool) -> Any:
    convert: dict[str, Callable[..., Any]] = {"float": float, "complex": complex}
    plain = [_value(argument, printed=printed) for argument in arguments]
    if isinstance(node.func, ast.Name) and name in convert and not node.keywords:
        try:
            return convert[name](*plain)
        except (TypeError, ValueError) as error:
            raise LiteralError(f"not a plain value: {ast.unparse(node)[:200]} ({error})") from error
    if printed and len(plain) == 1 and (name in _WRAPPERS or name.startswith(_NUMBER_PREFIXES)):
        return plain[0]
    raise LiteralError(f"not a plain value: {ast.unparse(node)[:200]}")


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""

"""What the catalog's signatures say about the parameters of functions."""

import ast
import functools
from dataclasses import dataclass
from typing import Any

from zwc.catalog import load

NO_DEFAULT = object()


@dataclass(frozen=True)
class Parameter:
    """One parameter; `default` is NO_DEFAULT where it must be given, and `...` where the default means "not given"."""

    name: str
    default: Any
    positional: bool


@functools.cache
def of(function_id: str) -> tuple[Parameter, ...]:
    """Parameters in order, without `*args` and `**kwargs`."""
    definition = ast.parse(f"def f{load()[function_id].signature}: pass").body[0]
    assert isinstance(definition, ast.FunctionDef)
    given = definition.args
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
    pairs = [(name.arg, value, True) for name, value in zip(positional, defaults, strict=True)]
    pairs += [(name.arg, value, False) for name, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return tuple(Parameter(name, _value(value), place) for name, value, place in pairs)


def required(function_id: str) -> tuple[str, ...]:
    """Names of the positional parameters that must be given."""
    return tuple(p.name for p in of(function_id) if p.positional and p.default is NO_DEFAULT)


def _value(node: ast.expr | None) -> Any:
    if node is None:
        return NO_DEFAULT
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)

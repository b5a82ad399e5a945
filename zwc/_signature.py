"""Signatures as text, and binding a call to one with errors that speak of the pseudo-name."""

from __future__ import annotations

import ast
import inspect
from typing import Any


class SignatureError(TypeError):
    """A call does not fit the signature."""


class Signature:
    """Parameters of one function, made from Python syntax such as `(a, axis=None, *, where=True)`."""

    def __init__(self, text: str) -> None:
        self.text = text
        parameters = _parameters(text)
        self._parameters = inspect.Signature(parameters)
        plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self._positional = [p.name for p in plain]
        self._keywords = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        self._required = sum(p.default is p.empty for p in plain)
        self._simple = not any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in parameters)

    def bind(self, name: str, arguments: list[Any], options: dict[str, Any]) -> None:
        """Check a call. Raises SignatureError naming `name`."""
        if self._fits(len(arguments), options):
            return
        try:
            self._parameters.bind(*arguments, **options)
        except TypeError as error:
            raise SignatureError(f"{name}() {error}") from None

    def _fits(self, count: int, options: dict[str, Any]) -> bool:
        """Whether an ordinary call fits, decided fast; False leaves the decision and the message to `inspect`."""
        if not self._simple or not self._required <= count <= len(self._positional):
            return False
        return not options or (options.keys() <= self._keywords and options.keys().isdisjoint(self._positional[:count]))

    @property
    def names(self) -> tuple[str, ...]:
        """Parameter names in order."""
        return tuple(self._parameters.parameters)


def _parameters(text: str) -> list[inspect.Parameter]:
    definition = ast.parse(f"def f{text}: pass").body[0]
    assert isinstance(definition, ast.FunctionDef)
    found = definition.args
    positional = [*found.posonlyargs, *found.args]
    required = len(positional) - len(found.defaults)
    parameters = []
    for index, argument in enumerate(positional):
        only = index < len(found.posonlyargs)
        kind = inspect.Parameter.POSITIONAL_ONLY if only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(_parameter(argument.arg, kind, index >= required))
    if found.vararg:
        parameters.append(_parameter(found.vararg.arg, inspect.Parameter.VAR_POSITIONAL, False))
    for argument, default in zip(found.kwonlyargs, found.kw_defaults, strict=True):
        parameters.append(_parameter(argument.arg, inspect.Parameter.KEYWORD_ONLY, default is not None))
    if found.kwarg:
        parameters.append(_parameter(found.kwarg.arg, inspect.Parameter.VAR_KEYWORD, False))
    return parameters


def _parameter(name: str, kind: Any, optional: bool) -> inspect.Parameter:
    return inspect.Parameter(name, kind, default=... if optional else inspect.Parameter.empty)

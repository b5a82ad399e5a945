"""The kernel: NumPy, the arrays and the pseudo-names, behind messages.

It runs in a process of its own under the sandbox and in the caller's process otherwise. It gets its functions as
`{pseudo-name: (function id, signature)}` and needs no file of the project beside this package's private modules.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import operator
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from zwc import _wire
from zwc._functions import resolve
from zwc._messages import sanitise
from zwc._signature import Signature, SignatureError

GUESS_LIMIT = 100
STAR_LIMIT = 2000
CALLBACK_DEPTH = 40


class KernelLink(Protocol):
    """The kernel's end of the conversation."""

    def send(self, message: Any) -> None:
        """Send one encoded message to the client."""

    def receive(self) -> Any:
        """Wait for the client's next message."""


class Observer:
    """Sees what the client does, and may change results. This one does neither."""

    def unknown(self, name: str) -> None:
        """The client asked for a name that no function has."""

    def starred(self) -> None:
        """The client imported all names that its source spells out."""

    def called(self, function_id: str, succeeded: bool) -> None:
        """A function was called."""

    def misused(self, function_id: str) -> None:
        """A call did not fit the function's signature."""

    def result(self, function_id: str, arguments: list[Any], value: Any) -> Any:
        """The value to answer with; `function_id` is "" for an operator."""
        return value


class TooManyGuesses(Exception):
    """The client asked for very many names that do not exist."""


class CallbackError(Exception):
    """A callback raised; the client holds the exception under this number."""


class Callback:
    """A callable of the client, as NumPy sees it."""

    __name__ = "callback"

    def __init__(self, kernel: Kernel, number: int) -> None:
        self._kernel = kernel
        self.number = number

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        return self._kernel.call_back(self.number, arguments, options)

    def __repr__(self) -> str:
        return "<function>"


class Kernel:
    """Executes messages of one client. Not safe for use from several threads.

    `functions` maps pseudo-names (`rfx.` in front for the submodule) to function ids and signatures. `link` is needed
    for callbacks only; `serve` brings its own.
    """

    def __init__(
        self,
        functions: Mapping[str, tuple[str, Signature]],
        observer: Observer | None = None,
        link: KernelLink | None = None,
    ) -> None:
        self._functions = functions
        self._observer = observer or Observer()
        self._link = link
        self._arrays: dict[int, Any] = {}
        self._callables: dict[int, Callable[..., Any]] = {}
        self._numbers = itertools.count(1)
        self._guesses: set[str] = set()
        self._starred = 0
        self._depth = 0

    def serve(self, link: KernelLink) -> None:
        """Answer messages until the link ends (EOFError)."""
        self._link = link
        with contextlib.suppress(EOFError):
            while True:
                link.send(self.answer(link.receive()))

    def answer(self, message: Any) -> Any:
        """Execute one message. A failure of the call is an answer too; only TooManyGuesses passes through."""
        try:
            action, released, *content = message
            for handle in released:
                self._arrays.pop(handle, None)
            method = _ACTIONS[action]
            return ["ok", self._encode(method(self, *(_wire.decode(item, self._revive) for item in content)))]
        except CallbackError as error:
            return ["error", "callback", error.args[0], None]
        except SignatureError as error:
            return ["error", "TypeError", str(error), "bad_signature"]
        except (TooManyGuesses, EOFError):
            raise
        except Exception as error:
            return ["error", *sanitise(error, self._own_names(message)), None]

    def _own_names(self, message: Any) -> dict[str, str]:
        """NumPy's names of the function that `message` calls, with its pseudo-name."""
        match message:
            case ["call", _, str() as name, *_] if name in self._functions:
                function_id, _ = self._functions[name]
            case _:
                return {}
        known = (function_id.rpartition(".")[2], getattr(resolve(function_id), "__name__", ""))
        return dict.fromkeys(known, name.rpartition(".")[2])

    def _find(self, name: str) -> bool:
        if name in self._functions:
            return True
        self._guesses.add(name)
        self._observer.unknown(name)
        if len(self._guesses) > GUESS_LIMIT:
            raise TooManyGuesses(f"more than {GUESS_LIMIT} names that the library does not have")
        return False

    def _find_many(self, names: list[str]) -> list[bool]:
        self._starred += len(names)
        if self._starred > STAR_LIMIT:
            raise TooManyGuesses(f"star imports by sources with more than {STAR_LIMIT} names")
        self._observer.starred()
        return [name in self._functions for name in names]

    def _call(self, name: str, arguments: list[Any], options: dict[str, Any]) -> Any:
        if not self._find(name):
            raise TypeError("no such function")
        function_id, signature = self._functions[name]
        try:
            signature.bind(name.rpartition(".")[2], arguments, options)
        except SignatureError:
            self._observer.misused(function_id)
            raise
        try:
            value = resolve(function_id)(*arguments, **options)
        except Exception:
            self._observer.called(function_id, succeeded=False)
            raise
        self._observer.called(function_id, succeeded=True)
        return self._observer.result(function_id, [*arguments, *options.values()], value)

    def _operate(self, name: str, operands: list[Any]) -> Any:
        if name in _IN_PLACE and isinstance(operands[0], np.ndarray) and operands[0].dtype.kind in "SU":
            raise TypeError("text arrays do not change in place")  # NumPy 2.0 writes beyond their end
        value = _OPERATORS[name](*operands)
        changed = self._observer.result("", operands, value)
        if name not in _IN_PLACE:
            return changed
        if changed is not operands[0]:
            operands[0][...] = changed
        return None

    def _get(self, array: Any, key: Any) -> Any:
        return array[key]

    def _set(self, array: Any, key: Any, value: Any) -> None:
        array[key] = value

    def _transpose(self, array: Any) -> Any:
        return array.T

    def _iterate(self, array: Any, start: int, count: int) -> list[Any]:
        part = array[start : start + count]
        return part.tolist() if part.ndim == 1 else list(part)

    def _contains(self, array: Any, value: Any) -> bool:
        return bool(value in array)

    def _convert(self, array: Any, kind: str) -> Any:
        """One element as a Python number: of any number of axes, which NumPy's releases treat differently."""
        if kind == "index":
            return operator.index(array)
        if array.size != 1:
            wrong = ValueError if kind == "bool" else TypeError
            raise wrong(f"{kind} of an array with {array.size} elements; it takes exactly one")
        return _CONVERSIONS[kind](array.item())

    def _text(self, array: Any) -> str:
        return f"ZWCArray({self._plain(array)!r})"

    def _plain(self, array: Any) -> Any:
        nested = array.tolist()
        return nested if array.dtype.char not in _DEEP else _nested(nested)

    def _invoke(self, number: int, arguments: list[Any], options: dict[str, Any]) -> Any:
        return self._observer.result("vectorize", [], self._callables[number](*arguments, **options))

    def _encode(self, value: Any) -> Any:
        return _wire.encode(value, self._encode_other)

    def _encode_other(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            number = next(self._numbers)
            self._arrays[number] = value
            return {"a": [number, [*value.shape], _dtype_text(value.dtype)]}
        if isinstance(value, np.generic):
            return self._encode(_scalar(value))
        if isinstance(value, tuple):
            return self._encode(tuple(value))
        if isinstance(value, Callback):
            return {"k": value.number}
        if isinstance(value, np.vectorize):
            number = next(self._numbers)
            self._callables[number] = value
            return {"f": number}
        raise TypeError("the result cannot be sent")

    def _revive(self, tag: str, content: Any) -> Any:
        if tag == "a":
            return self._arrays[content]
        if tag == "k":
            return Callback(self, content)
        if tag == "s":
            return slice(*_wire.decode(content, self._revive))
        if tag == "z":
            return set(_wire.decode(content, self._revive))
        if tag == "e":
            return ...
        if tag == "y":
            return _wire.TYPES[content]
        raise TypeError("not a value that zwc takes")

    def call_back(self, number: int, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Run a callable of the client. Raises CallbackError if it raises, RecursionError if too many are running."""
        if self._link is None or self._depth >= CALLBACK_DEPTH:
            raise RecursionError("callbacks nested too deeply")
        self._depth += 1
        try:
            self._link.send(["callback", number, self._encode(list(arguments)), self._encode(options)])
            while True:
                message = self._link.receive()
                if message[0] == "return":
                    return _wire.decode(message[1], self._revive)
                if message[0] == "raise":
                    raise CallbackError(message[1])
                self._link.send(self.answer(message))
        finally:
            self._depth -= 1


_dtype_text = functools.lru_cache(maxsize=64)(str)


def _scalar(value: np.generic) -> Any:
    item = value.item()
    if isinstance(item, np.floating):
        return float(item)
    if isinstance(item, np.complexfloating):
        return complex(item)
    return item


def _nested(value: Any) -> Any:
    """Lists of Python scalars, also from arrays within arrays and from scalars that only NumPy has."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        return _scalar(value)
    return type(value)(map(_nested, value)) if type(value) in (list, tuple) else value


# Element types (NumPy's one-letter codes) whose elements in nested lists may still be NumPy's.
_DEEP = frozenset("gGOV")
_CONVERSIONS: dict[str, type] = {kind.__name__: kind for kind in (bool, int, float, complex)}
_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift")
_BITWISE = ("and", "or", "xor")
_IN_PLACE = frozenset(f"i{name}" for name in (*_ARITHMETIC, *_BITWISE))
_ONE_WAY = ("lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs", "invert")
_OPERATORS: dict[str, Callable[..., Any]] = {
    **{name: getattr(operator, f"__{name}__") for name in (*_ARITHMETIC, *_BITWISE, *_IN_PLACE, *_ONE_WAY)},
    "divmod": divmod,
}
_ACTIONS: dict[str, Callable[..., Any]] = {
    "find": Kernel._find,
    "find_many": Kernel._find_many,
    "call": Kernel._call,
    "operate": Kernel._operate,
    "get": Kernel._get,
    "set": Kernel._set,
    "transpose": Kernel._transpose,
    "iterate": Kernel._iterate,
    "contains": Kernel._contains,
    "convert": Kernel._convert,
    "text": Kernel._text,
    "plain": Kernel._plain,
    "invoke": Kernel._invoke,
}

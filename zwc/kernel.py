"""The kernel: NumPy, the arrays and the pseudo-names, behind messages.

It runs in a process of its own under the sandbox and in the caller's process otherwise. It gets its functions as
`{pseudo-name: (function id, signature)}` and needs no file of the project beside this package's private modules.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
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


class Kernel:
    """Executes messages of one client. Not safe for use from several threads."""

    def __init__(self, functions: Mapping[str, tuple[str, Signature]], observer: Observer | None = None) -> None:
        self._functions = functions
        self._observer = observer or Observer()
        self._arrays: dict[int, Any] = {}
        self._callables: dict[int, Callable[..., Any]] = {}
        self._numbers = itertools.count(1)
        self._guesses: set[str] = set()
        self._starred = 0
        self._depth = 0
        self._link: KernelLink | None = None

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
            return ["error", *sanitise(error, self._pseudo_name), None]

    def _pseudo_name(self, function_id: str) -> str | None:
        return next((name for name, (known, _) in self._functions.items() if known == function_id), None)

    def _find(self, name: str) -> bool:
        if name in self._functions:
            return True
        self._guesses.add(name)
        self._observer.unknown(name)
        if len(self._guesses) > GUESS_LIMIT:
            raise TooManyGuesses
        return False

    def _find_many(self, names: list[str]) -> list[bool]:
        self._starred += len(names)
        if self._starred > STAR_LIMIT:
            raise TooManyGuesses
        return [name in self._functions for name in names]

    def _call(self, name: str, arguments: list[Any], options: dict[str, Any]) -> Any:
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
        value = _operator(name)(*operands)
        changed = self._observer.result("", operands, value)
        if not name.startswith("i") or name == "invert":
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
        return list(array[start : start + count])

    def _contains(self, array: Any, value: Any) -> bool:
        return bool(value in array)

    def _convert(self, array: Any, kind: str) -> Any:
        return _CONVERSIONS[kind](array)

    def _text(self, array: Any) -> str:
        return f"ZWCArray({array.tolist()!r})"

    def _plain(self, array: Any) -> Any:
        return array.tolist()

    def _invoke(self, number: int, arguments: list[Any], options: dict[str, Any]) -> Any:
        return self._observer.result("vectorize", [], self._callables[number](*arguments, **options))

    def _encode(self, value: Any) -> Any:
        return _wire.encode(value, self._encode_other)

    def _encode_other(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            number = next(self._numbers)
            self._arrays[number] = value
            return {"a": [number, list(value.shape), str(value.dtype)]}
        if isinstance(value, np.generic):
            return self._encode(_scalar(value))
        if isinstance(value, tuple):
            return self._encode(tuple(value))
        if isinstance(value, int | float | complex | str):
            return self._encode(next(k for k in (int, float, complex, str) if isinstance(value, k))(value))
        if callable(value):
            number = next(self._numbers)
            self._callables[number] = value
            return {"f": number}
        raise TypeError("the result cannot be sent")

    def _revive(self, tag: str, content: Any) -> Any:
        if tag == "a":
            return self._arrays[content]
        if tag == "k":
            return lambda *arguments: self._call_back(content, arguments)
        if tag == "s":
            return slice(*(_wire.decode(part, self._revive) for part in content))
        if tag == "z":
            return {_wire.decode(item, self._revive) for item in content}
        if tag == "e":
            return ...
        if tag == "y" and content in _TYPES:
            return _TYPES[content]
        raise TypeError("not a value that zwc takes")

    def _call_back(self, number: int, arguments: tuple[Any, ...]) -> Any:
        if self._link is None or self._depth >= CALLBACK_DEPTH:
            raise RecursionError("callbacks nested too deeply")
        self._depth += 1
        try:
            self._link.send(["callback", number, self._encode(list(arguments))])
            while True:
                message = self._link.receive()
                if message[0] == "return":
                    return _wire.decode(message[1], self._revive)
                if message[0] == "raise":
                    raise CallbackError(message[1])
                self._link.send(self.answer(message))
        finally:
            self._depth -= 1


def _scalar(value: np.generic) -> Any:
    item = value.item()
    if isinstance(item, np.floating):
        return float(item)
    if isinstance(item, np.complexfloating):
        return complex(item)
    return item


def _operator(name: str) -> Callable[..., Any]:
    if name == "divmod":
        return divmod
    return getattr(operator, name if hasattr(operator, name) else f"{name}_")  # type: ignore[no-any-return]


_TYPES: dict[str, type] = {k.__name__: k for k in (bool, int, float, complex, str, object)}
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "index": operator.index,
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


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No floating-point warnings, and no other warnings of NumPy."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield

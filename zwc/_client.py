"""The client's side of a kernel: names, calls and callbacks. Pure Python; it holds no name and no array."""

from __future__ import annotations

import builtins
import sys
from _thread import RLock
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any, Protocol

from zwc import _wire
from zwc._array import ZWCArray


class Link(Protocol):
    """Carries messages to a kernel and back, in order."""

    def send(self, message: Any) -> None:
        """Send one encoded message."""

    def receive(self) -> Any:
        """Wait for the kernel's next message."""


class Session:
    """One conversation with one kernel."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._lock = RLock()
        self._functions: dict[str, Function | None] = {}
        self._callbacks: list[Callable[..., Any]] = []
        self._released: list[int] = []
        self._raised: list[BaseException] = []
        self.last_fault: tuple[BaseException, str] | None = None
        self.writes = 0

    def find(self, name: str) -> Function | None:
        """The function of that pseudo-name (`rfx.` in front for the submodule), or None."""
        if name not in self._functions:
            self._functions[name] = Function(self, name) if self.request("find", name) else None
        return self._functions[name]

    def request(self, action: str, *content: Any) -> Any:
        """Ask the kernel and return its answer; raise what it raised. Callbacks run meanwhile."""
        payload = [self._encode(item) for item in content]
        with self._lock:
            released, self._released = self._released, []
            self._link.send([action, released, *payload])
            while True:
                reply = self._link.receive()
                if reply[0] == "ok":
                    return _wire.decode(reply[1], self._revive)
                if reply[0] != "callback":
                    raise self._error(*reply[1:])
                self._link.send(self._run_callback(*reply[1:]))

    def fault(self, error: BaseException, kind: str) -> BaseException:
        """Remember what kind of misuse `error` is, for whoever classifies it later."""
        self.last_fault = (error, kind)
        return error

    def missing_attribute(self, owner: str, name: str) -> BaseException:
        """The error for an attribute that the library does not have."""
        return self.fault(AttributeError(f"{owner} has no attribute {name!r}"), "unknown_attribute")

    def release(self, handle: int) -> None:
        """Tell the kernel, with the next request, that an array is no longer used."""
        self._released.append(handle)

    def _encode(self, value: Any) -> Any:
        return _wire.encode(value, self._encode_other)

    def _encode_other(self, value: Any) -> Any:
        if type(value) is ZWCArray:
            return {"a": value._in(self)}
        if isinstance(value, slice):
            return {"s": [self._encode(part) for part in (value.start, value.stop, value.step)]}
        if value is Ellipsis:
            return {"e": 0}
        if isinstance(value, range):
            return list(value)
        if isinstance(value, set | frozenset):
            return {"z": [self._encode(item) for item in value]}
        if isinstance(value, type):
            return {"y": value.__name__}
        if callable(value):
            self._callbacks.append(value)
            return {"k": len(self._callbacks) - 1}
        for plain in (bool, int, float, complex, str, list, tuple):
            if isinstance(value, plain):
                return self._encode(plain(value))
        raise TypeError(f"zwc takes numbers, text, lists, tuples, ranges and arrays, not {type(value).__name__}")

    def _revive(self, tag: str, content: Any) -> Any:
        if tag == "a":
            return ZWCArray._new(self, content[0], tuple(content[1]), content[2])
        if tag == "f":
            return Vectorized(self, content)
        raise ValueError(f"unknown tag {tag!r}")

    def _run_callback(self, number: int, arguments: Any) -> Any:
        try:
            result = self._callbacks[number](*_wire.decode(arguments, self._revive))
            return ["return", self._encode(result)]
        except BaseException as error:
            self._raised.append(error)
            return ["raise", len(self._raised) - 1]

    def _error(self, type_name: str, text: Any, kind: str | None) -> BaseException:
        if type_name == "callback":
            return self._raised[text]
        error: BaseException = getattr(builtins, type_name)(text)
        return self.fault(error, kind) if kind else error


class Function:
    """A function of the library."""

    __slots__ = ("_name", "_session")

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._name = name

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        if "out" in options:
            self._session.writes += 1
        return self._session.request("call", self._name, list(arguments), options)

    def __getattr__(self, name: str) -> Any:
        if name == "__name__":
            return self._name.rpartition(".")[2]
        raise self._session.missing_attribute(f"function zwc.{self._name}", name)

    def __repr__(self) -> str:
        return f"<function zwc.{self._name}>"


class Vectorized:
    """A callable that lives in the kernel."""

    __slots__ = ("_number", "_session")

    def __init__(self, session: Session, number: int) -> None:
        self._session = session
        self._number = number

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        return self._session.request("invoke", self._number, list(arguments), options)

    def __repr__(self) -> str:
        return "<vectorized function>"


_session: Session | None = None


def install(session: Session) -> None:
    """Make `session` the one behind `import zwc` in this process."""
    global _session
    _session = session


def current() -> Session:
    """The session behind `import zwc`: the installed one, else a kernel in this process."""
    if _session is None:
        from zwc.library import default_session

        install(default_session())
    assert _session is not None
    return _session


def lookup(session: Session, prefix: str, name: str) -> Any:
    """Attribute `name` of the module (`prefix` is "" or "rfx."). Raises AttributeError without a hint."""
    function = session.find(prefix + name)
    if function is not None:
        return function
    module = "zwc.rfx" if prefix else "zwc"
    raise session.fault(AttributeError(f"module {module!r} has no attribute {name!r}"), "unknown_function")


def star_names(session: Session, prefix: str, importer: FrameType) -> list[str]:
    """What `from zwc import *` brings: the functions that the importing source spells out."""
    if not _is_star_import(importer):
        return []
    spelled = sorted(set(_names(importer.f_code)))
    found = session.request("find_many", [prefix + name for name in spelled])
    own = () if prefix else ("ZWCArray", "rfx")
    return [name for name, known in zip(spelled, found, strict=True) if known or name in own]


def _is_star_import(frame: FrameType) -> bool:
    import dis

    code = frame.f_code
    instruction = next((i for i in dis.get_instructions(code) if i.offset == frame.f_lasti), None)
    if instruction is None:
        return False
    return instruction.opname == "IMPORT_STAR" or instruction.argrepr == "INTRINSIC_IMPORT_STAR"


def _names(code: CodeType) -> Iterable[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def importer_frame() -> FrameType:
    """The frame that asked a module for an attribute (two calls up: module `__getattr__`, then its caller)."""
    return sys._getframe(2)

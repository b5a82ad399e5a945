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

# Modules of the package, which `from zwc import …` asks for before it loads them: never functions.
_MODULES = frozenset(("catalog", "kernel", "library", "reference", "vocabulary"))
_PLAIN: tuple[type, ...] = (int, float, complex, str, list, tuple, dict)
_HEADROOM = 24
# One lock for all sessions of the process: callbacks may use another library than the one that called them.
_lock = RLock()
_session: Session | None = None


class Link(Protocol):
    """Carries messages to a kernel and back, in order."""

    def send(self, message: Any) -> None:
        """Send one encoded message."""

    def receive(self) -> Any:
        """Wait for the kernel's next message."""


class Session:
    """One conversation with one kernel. Threads may share it; they take turns."""

    def __init__(self, link: Link, document: Callable[[str], str] | None = None) -> None:
        self._link = link
        self._functions: dict[str, Function | None] = {}
        self._callbacks: list[Callable[..., Any]] = []
        self._raised: dict[int, BaseException] = {}
        self._released: list[int] = []
        self._cut_short = False
        self.document = document
        self.last_fault: tuple[BaseException, str] | None = None
        self.starred = False
        self.writes = 0

    def find(self, name: str) -> Function | None:
        """The function of that pseudo-name (`rfx.` in front for the submodule), or None."""
        if name not in self._functions:
            self._functions[name] = Function(self, name) if self.request("find", name) else None
        return self._functions[name]

    def find_spelled(self, names: list[str]) -> list[Function | None]:
        """As `find`, for names that may be anything: those without a function are no guesses."""
        self.starred = True
        found = self.request("find_many", names)
        self._functions.update({name: Function(self, name) for name, known in zip(names, found, strict=True) if known})
        return [self._functions.get(name) for name in names]

    def lookup(self, prefix: str, name: str) -> Function:
        """Attribute `name` of the module (`prefix` is "" or "rfx."). Raises AttributeError without a hint."""
        function = None if name.startswith("_") or "." in name else self.find(prefix + name)
        if function is None:
            raise self.fault(_no_attribute(prefix, name), "unknown_function")
        return function

    def request(self, action: str, *content: Any) -> Any:
        """Ask the kernel and return its answer; raise what it raised. Callbacks run meanwhile."""
        payload = [self._encode(item) for item in content]
        _need_stack(_HEADROOM)
        with _lock:
            released, self._released = self._released, []
            reply = self._exchange([action, released, *payload])
            while reply[0] == "callback":
                reply = self._exchange(self.run_callback(*reply[1:]))
            if reply[0] == "ok":
                return _wire.decode(reply[1], self._revive)
            raise self._error(*reply[1:])

    def _exchange(self, message: Any) -> Any:
        """Send and receive. An exception in between would leave a reply behind that the next call takes for its own."""
        if self._cut_short:
            raise RuntimeError("zwc stopped: an earlier call was cut short")
        self._link.send(message)
        self._cut_short = True
        reply = self._link.receive()
        self._cut_short = False
        return reply

    def call(self, action: str, target: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Request a call. Arrays that are given may be written to."""
        if options or ZWCArray in map(type, arguments):
            self.writes += 1
        return self.request(action, target, list(arguments), options)

    def fault(self, error: BaseException, kind: str) -> BaseException:
        """Remember what kind of misuse `error` is, for whoever classifies it later."""
        self.last_fault = (error, kind)
        return error

    def missing_attribute(self, text: str) -> BaseException:
        """The error for an attribute that the library does not have."""
        return self.fault(AttributeError(text), "unknown_attribute")

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
            return self._encode(list(value))
        if isinstance(value, (set, frozenset)):
            return {"z": [self._encode(item) for item in value]}
        if isinstance(value, type) and _wire.TYPES.get(value.__name__) is value:
            return {"y": value.__name__}
        for plain in _PLAIN:
            if isinstance(value, plain):
                return self._encode(plain(value))
        if callable(value):
            self._callbacks.append(value)
            return {"k": len(self._callbacks) - 1}
        raise TypeError(f"zwc takes numbers, text, lists, tuples, ranges and arrays, not {type(value).__name__}")

    def _revive(self, tag: str, content: Any) -> Any:
        if tag == "a":
            return ZWCArray._new(self, content[0], tuple(content[1]), content[2])
        if tag == "f":
            return Vectorized(self, content)
        if tag == "k":
            return self._callbacks[content]
        raise ValueError(f"unknown tag {tag!r}")

    def run_callback(self, number: int, arguments: Any, options: Any) -> Any:
        """Run a callback for the kernel; the message to answer with."""
        try:
            function = self._callbacks[number]
            result = function(*_wire.decode(arguments, self._revive), **_wire.decode(options, self._revive))
            return ["return", self._encode(result)]
        except BaseException as error:
            self._raised[id(error)] = error
            return ["raise", id(error)]

    def _error(self, type_name: str, text: Any, kind: str | None) -> BaseException:
        if type_name == "callback":
            return self._raised.pop(text)
        error: BaseException = getattr(builtins, type_name)(text)
        return self.fault(error, kind) if kind else error


class Function:
    """A function of the library."""

    __slots__ = ("_name", "_session")

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._name = name

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        return self._session.call("call", self._name, arguments, options)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self._session.document(self._name) if self._session.document else None

    def __getattr__(self, name: str) -> Any:
        if name in ("__name__", "__qualname__"):
            return self._name.rpartition(".")[2]
        raise self._session.missing_attribute(f"function zwc.{self._name} has no attribute {name!r}")

    def __deepcopy__(self, memo: Any) -> Function:
        return self

    def __repr__(self) -> str:
        return f"<function zwc.{self._name}>"


class Vectorized:
    """A callable that lives in the kernel."""

    __slots__ = ("_number", "_session")

    def __init__(self, session: Session, number: int) -> None:
        self._session = session
        self._number = number

    def __call__(self, /, *arguments: Any, **options: Any) -> Any:
        return self._session.call("invoke", self._number, arguments, options)

    def __repr__(self) -> str:
        return "<vectorized function>"


def install(session: Session) -> None:
    """Make `session` the one behind `import zwc` in this process."""
    global _session
    _session = session


def current() -> Session:
    """The session behind `import zwc`: the installed one, else a kernel in this process."""
    with _lock:
        if _session is None:
            from zwc.library import default_session

            install(default_session())
    assert _session is not None
    return _session


def lookup(prefix: str, name: str) -> Any:
    """Attribute `name` of `zwc` or of its submodule, without a kernel for names that are no function's."""
    if _session is None and (name in _MODULES or name.startswith("_")):
        raise _no_attribute(prefix, name)
    return current().lookup(prefix, name)


def star_names(prefix: str) -> list[str]:
    """What `from zwc import *` brings: the functions that the importing source spells out.

    To be called by a module's `__getattr__`, whose caller is the importer; nobody else learns a name.
    """
    importer = sys._getframe(2)
    if not _is_star_import(importer):
        return []
    spelled = sorted(set(_names(importer.f_code)))
    found = current().find_spelled([prefix + name for name in spelled])
    own = () if prefix else ("ZWCArray", "rfx")
    return [name for name, function in zip(spelled, found, strict=True) if function or name in own]


def _no_attribute(prefix: str, name: str) -> AttributeError:
    module = "zwc.rfx" if prefix else "zwc"
    return AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=None)


def _need_stack(depth: int) -> None:
    """Raise RecursionError now if the rest of a request would."""
    if depth:
        _need_stack(depth - 1)


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

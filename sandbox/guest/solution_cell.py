"""The solution's cell: a zygote that forks one interpreter per run and calls the entry point once per case."""

from __future__ import annotations

import functools
import os
import socket
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from sandbox.guest import frames
from sandbox.guest.zygote import Confinement, serve
from zwc import _client, _wire
from zwc._array import ZWCArray

Plain = Callable[[Any], Any]
_TEXT_LIMIT = 400
# Modules that solutions like to import: loaded once here, so that no run waits for them.
_PRELOADED = (
    "bisect", "cmath", "collections", "collections.abc", "copy", "dataclasses", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "json", "math", "numbers", "operator", "random", "re", "statistics", "string",
    "struct", "traceback", "typing",
)  # fmt: skip


class Link:
    """The client's end of the socket to the kernel."""

    def __init__(self, descriptor: int) -> None:
        self._stream = frames.Stream(descriptor)

    def send(self, message: Any) -> None:
        """Send one message to the kernel."""
        try:
            self._stream.send(_wire.dumps(message))
        except OSError:
            raise RuntimeError("zwc stopped") from None

    def receive(self) -> Any:
        """The kernel's next message."""
        try:
            return _wire.loads(self._stream.receive())
        except (OSError, EOFError):
            raise RuntimeError("zwc stopped") from None


class Reporter:
    """Sends what happened, one frame per case."""

    def __init__(self, stream: frames.Stream, plain: Plain) -> None:
        self._stream = stream
        self._plain = plain

    def value(self, case: int, value: Any) -> None:
        """Report a case's result; a result that is not plain data is reported as such."""
        try:
            self._send([case, "value", _wire.encode(value, self._plain)])
        except (TypeError, ValueError, RecursionError) as error:
            self._send([case, "unfit", _text(error)])
        except MemoryError as error:
            self.error(case, error)

    def error(self, case: int, error: BaseException) -> None:
        """Report an exception; case -1 is the loading of the module."""
        self._send([case, "error", _kind(error), _describe(error)])

    def syntax_error(self, error: SyntaxError) -> None:
        """Report that the module does not compile: some faults show only when code is made, which may be costly."""
        self._send([-1, "error", "syntax_error", _describe(error)])

    def no_entry_point(self, name: str) -> None:
        """Report that the module does not define the entry point."""
        self._send([-1, "error", "no_entry_point", f"the code does not define {name}"])

    def _send(self, message: Any) -> None:
        self._stream.send(_wire.dumps(message))


def _plain(value: Any) -> Any:
    """Plain data for an array; anything else is refused by its type's name."""
    return _wire.encode(value._ask("plain")) if type(value) is ZWCArray else refuse(value)


def refuse(value: Any) -> NoReturn:
    """Raise TypeError: the value is no result."""
    raise TypeError(f"returned a value of type {type(value).__name__}")


def _kind(error: BaseException) -> str:
    """Coarse kind of an uncaught exception; only the classification of a failure depends on it."""
    session = _client._session
    if session is not None and session.last_fault is not None:
        fault, kind = session.last_fault
        if error is fault:
            return kind
    if isinstance(error, NameError) and session is not None and session.starred:
        return "unknown_function"
    if isinstance(error, ImportError) and str(error.name).split(".")[0] == "zwc":
        return "unknown_function"
    return "memory_limit" if isinstance(error, MemoryError) else "runtime_error"


def _describe(error: BaseException) -> str:
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "solution.py":
            line = trace.tb_lineno
        trace = trace.tb_next
    where = "" if line is None else f" (line {line})"
    return f"{type(error).__name__}: {_text(error)}{where}"


def _text(error: BaseException) -> str:
    try:
        return str(error)[:_TEXT_LIMIT]
    except BaseException:
        return "(no text)"


def run_solution(stream: frames.Stream, reporter: Reporter) -> None:
    """Load the module and call its entry point once per case."""
    job = _wire.loads(stream.receive())
    module = types.ModuleType("solution")
    sys.modules["solution"] = module
    try:
        exec(compile(job["code"], "solution.py", "exec"), module.__dict__)
    except SyntaxError as error:
        reporter.syntax_error(error)
        return
    except BaseException as error:
        reporter.error(-1, error)
        return
    entry_point = module.__dict__.get(job["entry_point"])
    if entry_point is None:
        reporter.no_entry_point(job["entry_point"])
        return
    for case, arguments in enumerate(_cases(job["cases"], stream)):
        try:
            result = entry_point(**{name: _wire.decode(value) for name, value in arguments.items()})
        except BaseException as error:
            reporter.error(case, error)
        else:
            reporter.value(case, result)


def _cases(first: list[Any], stream: frames.Stream) -> Iterator[Any]:
    """The cases that came with the code, then those that the hub sends once these are answered, if any."""
    yield from first
    try:
        rest = stream.receive()
    except EOFError:
        return
    yield from _wire.loads(rest)["cases"]


def _child(plain: Plain, descriptors: list[int], payload: Any) -> None:
    job, output, *link = descriptors
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    if link:
        _client.install(_client.Session(Link(link[0])))
    stream = frames.Stream(job)
    run_solution(stream, Reporter(stream, plain))
    for text in (sys.stdout, sys.stderr):
        try:
            text.flush()
        except BaseException:
            continue


_REHEARSED = """
import zwc
from zwc import first

def rehearse(values, axis):
    array = zwc.second(values)
    total = zwc.rfx.third(array, axis=axis) + array[0]
    for _ in array:
        total = first(total)
    return [array, total, float(array[1]), len(array)]
"""
_ARRAY = {"a": [1, [2], "float64"]}
_ANSWERS = {"find": True, "call": _ARRAY, "operate": _ARRAY, "iterate": [1.5, 2.5], "plain": [1.5, 2.5]}


class _Rehearsal(Link):
    """A link that finds an answer waiting for whatever it sends."""

    def __init__(self, near: socket.socket, far: socket.socket) -> None:
        super().__init__(near.fileno())
        self._far = far.fileno()

    def send(self, message: Any) -> None:
        super().send(message)
        frames.read(self._far)
        frames.write(self._far, _wire.dumps(["ok", _ANSWERS.get(message[0], 1.5)]))


def _rehearse() -> None:
    """Run a made-up solution against made-up answers before any run is forked.

    The interpreter specialises code while it runs. Done once here, it is neither done anew nor are the pages of the
    code copied in every child. Nothing of it stays but faster code.
    """
    sockets = (*socket.socketpair(), *socket.socketpair())
    ours, theirs, near, far = sockets
    case = {"values": [1.5, {"t": [1, 2]}], "axis": 0}
    frames.write(theirs.fileno(), _wire.dumps({"code": _REHEARSED, "entry_point": "rehearse", "cases": [case] * 30}))
    _client.install(_client.Session(_Rehearsal(near, far)))
    stream = frames.Stream(ours.fileno())
    theirs.shutdown(socket.SHUT_WR)
    run_solution(stream, Reporter(stream, _plain))
    _client._session = None
    del sys.modules["solution"]
    for end in sockets:
        end.close()


def main(control: socket.socket, settings: dict[str, Any]) -> None:
    """Serve runs."""
    __import__("zwc")
    _rehearse()
    serve_runs(control, settings, _plain)


def serve_runs(control: socket.socket, settings: dict[str, Any], plain: Plain) -> None:
    """Fork a run for each request; `plain` turns results that are no plain data into such, or raises TypeError."""
    for name in _PRELOADED:
        __import__(name)
    serve(control, {}, Confinement(settings), functools.partial(_child, plain))

"""The kernel's cell: a zygote that holds NumPy and the pseudo-names, and its worker that serves one run at a time."""

from __future__ import annotations

import json
import mmap
import os
import resource
import socket
import sys
import time
import warnings
from typing import Any

import numpy as np

from sandbox.guest import frames
from sandbox.guest.witness import Witness
from sandbox.guest.zygote import Confinement, serve
from zwc import _wire
from zwc._signature import Signature
from zwc.kernel import Kernel, TooManyGuesses

_RUNS = 2000
_GROWTH_BYTES = 256 << 20
_ROOM_STEP_BYTES = 16 << 20


class Link:
    """The kernel's end of the socket to the solution."""

    def __init__(self, descriptor: int) -> None:
        self._stream = frames.Stream(descriptor)

    def send(self, message: Any) -> None:
        """Send one message; a client that is gone ends the conversation."""
        try:
            self._stream.send(_wire.dumps(message))
        except (OSError, RecursionError):
            raise EOFError from None

    def receive(self) -> Any:
        """The client's next message. A message that is not well formed ends the conversation too."""
        try:
            message = _wire.loads(self._stream.receive())
        except (OSError, ValueError):
            raise EOFError from None
        if type(message) is not list or not message:
            raise EOFError
        return message


class Worker:
    """Serves one run after another, each with arrays, names and witness of its own, and ends when it has grown."""

    def __init__(self, control: socket.socket, functions: dict[str, tuple[str, Signature]], cpu_s: int) -> None:
        self._control = control
        self._functions = functions
        self._cpu_s = cpu_s
        self._most_bytes = _peak_bytes() + _GROWTH_BYTES
        self._room_bytes = _room_bytes() - 4 * _ROOM_STEP_BYTES

    def serve(self) -> None:
        """Serve until the hub goes or this process has served long enough."""
        for run in range(1, _RUNS + 1):
            packet, descriptors, _, _ = socket.recv_fds(self._control, 1 << 16, 1)
            if not packet:
                return
            before = time.process_time()
            resource.setrlimit(resource.RLIMIT_CPU, (int(before) + self._cpu_s + 1, resource.RLIM_INFINITY))
            witness = self._converse(descriptors[0], json.loads(packet))
            last = run == _RUNS or witness.exhausted or self._has_grown()
            report = {"cpu_s": time.process_time() - before, "peak_bytes": _peak_bytes(), "last": last}
            self._control.send(json.dumps({**report, "witness": witness.report()}).encode())
            if last:
                return

    def _has_grown(self) -> bool:
        return _peak_bytes() > self._most_bytes or not _has_room(self._room_bytes)

    def _converse(self, link: int, payload: Any) -> Witness:
        witness = Witness(payload["alteration"], frozenset(payload["targets"]))
        try:
            Kernel(self._functions, witness).serve(Link(link))
        except TooManyGuesses:
            witness.guessing = True
        except MemoryError:
            witness.exhausted = True
        finally:
            os.close(link)
        return witness


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _has_room(count: int) -> bool:
    """Whether so much address space is left: arrays can be leaked without ever being touched."""
    if count <= 0:
        return True
    try:
        mmap.mmap(-1, count, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 0).close()
    except OSError:
        return False
    return True


def _room_bytes() -> int:
    """Address space that the limit leaves, in whole steps; 0 without a limit."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return 0
    steps = limit // _ROOM_STEP_BYTES
    return next((n for n in range(steps, 0, -1) if _has_room(n * _ROOM_STEP_BYTES)), 0) * _ROOM_STEP_BYTES


def main(control: socket.socket, settings: dict[str, Any]) -> None:
    """Fork workers. `settings`: confinement, and `functions` as {pseudo-name: [function id, signature]}."""
    functions = {name: (record[0], Signature(record[1])) for name, record in settings["functions"].items()}
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    np.linalg.inv(np.eye(2) + np.ones((2, 2)))  # loads what the first call would load in every worker

    def child(descriptors: list[int], payload: Any) -> None:
        Worker(socket.socket(fileno=descriptors[0]), functions, payload["cpu_s"]).serve()

    versions = {"python": sys.version.split()[0], "numpy": np.__version__}
    serve(control, versions, Confinement({**settings, "cpu_s": 0}), child)

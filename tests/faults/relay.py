"""A relay in front of the Docker engine: a connection that a test can cut."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path

_CHUNK = 1 << 16


class Relay:
    """Listens on a Unix socket and passes everything on to the engine's, until it is cut."""

    def __init__(self, path: Path, engine: str) -> None:
        self.path = path
        self._engine = engine
        self._cut_after: bytes | None = None
        self._lock = threading.RLock()
        self._listeners: list[socket.socket] = []
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def restore(self) -> None:
        """Accept connections, at first or again."""
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.path))
        listener.listen(64)
        self._listeners.append(listener)
        self._run(self._accept, listener)

    def cut_after(self, request: bytes) -> None:
        """Cut once a request with these bytes in its first line was passed on; its answer is lost."""
        self._cut_after = request

    def drop(self) -> None:
        """End every connection; new ones are accepted."""
        with self._lock:
            _shut(self._open)

    def cut(self) -> None:
        """End every connection and accept no more."""
        with self._lock:
            self._cut_after = None
            self.path.unlink(missing_ok=True)
            _shut(self._listeners)
            _shut(self._open)

    def close(self) -> None:
        """Cut for good."""
        self.cut()
        for thread in self._threads:
            thread.join(20)
        for one in (*self._listeners, *self._open):
            one.close()

    def _run(self, function, *arguments: object) -> None:  # type: ignore[no-untyped-def]
        self._threads.append(threading.Thread(target=function, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._engine)
                with self._lock:
                    self._open += [near, far]
                self._run(self._pass_on, near, far)
                self._run(self._pass_on, far, near)

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK):
                target.sendall(data)
                with self._lock:
                    if self._cut_after is not None and self._cut_after in data.split(b"\r\n", 1)[0]:
                        self.cut()
            target.shutdown(socket.SHUT_WR)


def _shut(sockets: list[socket.socket]) -> None:
    for one in sockets:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)

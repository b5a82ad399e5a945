"""A byte stream to a hub, whatever carries it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from typing import Protocol

from sandbox.errors import GuestDied
from sandbox.guest.frames import HEADER, pack


class Connection(Protocol):
    """Two-way bytes with deadlines. Every failure is GuestDied."""

    def send(self, payload: bytes, deadline: float) -> None:
        """Send one frame before `deadline` (on time.monotonic's clock, seconds)."""

    def receive(self, deadline: float, most_bytes: int) -> bytes:
        """The next frame's payload before `deadline`; a guest that announces more than `most_bytes` is broken."""

    def close(self) -> None:
        """End the guest and everything in it. Safe to call twice and from another thread."""


class ProcessConnection:
    """The connection to a hub that is a child process."""

    def __init__(self, command: list[str], environment: dict[str, str] | None) -> None:
        self._busy = threading.Lock()
        self._ending = threading.Lock()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed by close)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                env=environment,
                bufsize=0,
                start_new_session=True,
            )
        except BaseException:
            self._log.close()
            raise
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)

    def send(self, payload: bytes, deadline: float) -> None:
        """Send one frame."""
        view = memoryview(pack(payload))
        with self._busy:
            self._need_open()
            while view:
                self._wait(self._to, select.POLLOUT, deadline)
                try:
                    view = view[os.write(self._to, view) :]
                except BlockingIOError:
                    continue
                except OSError as error:
                    raise self._died(str(error)) from error

    def receive(self, deadline: float, most_bytes: int) -> bytes:
        """The next frame's payload."""
        with self._busy:
            self._need_open()
            (length,) = HEADER.unpack(self._read(HEADER.size, deadline))
            if length > most_bytes:
                raise self._died(f"the guest announced {length} bytes where {most_bytes} are the most")
            return self._read(length, deadline)

    def _need_open(self) -> None:
        if self._process.stdin is None or self._process.stdin.closed:
            raise self._died("the guest was closed")

    def _read(self, count: int, deadline: float) -> bytes:
        parts = []
        while count:
            self._wait(self._from, select.POLLIN, deadline)
            try:
                part = os.read(self._from, min(count, 1 << 20))
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._died(str(error)) from error
            if not part:
                raise self._died("the guest ended")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        if not poll.poll(max(0.0, (deadline - time.monotonic()) * 1000)):
            raise self._died("the guest did not answer in time")

    def _died(self, reason: str) -> GuestDied:
        return GuestDied(f"{reason}; {self.log() or 'it left no message'}")

    def log(self) -> str:
        """The end of what the guest program and its launcher wrote to standard error."""
        try:
            end = os.fstat(self._log.fileno()).st_size
            return os.pread(self._log.fileno(), 2000, max(0, end - 2000)).decode("utf-8", "replace").strip()
        except (OSError, ValueError):
            return ""

    def close(self) -> None:
        """End the hub; its cells end with it.

        A thread that waits for the hub must see its end: a descriptor closed under it would leave it waiting.
        """
        idle = self._busy.acquire(blocking=False)
        if idle:
            self._close_streams()
            self._busy.release()
        with self._ending:
            self._end(1.0 if idle else 0.0)
        with self._busy:
            self._close_streams()
            self._log.close()

    def _close_streams(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()

    def _end(self, patience_s: float) -> None:
        """End the hub's whole group: bubblewrap that loses its hub while it starts a cell would wait for ever.

        The hub is collected last: until then its number, and so its group's, belongs to nobody else.
        """
        if self._process.returncode is not None:
            return
        deadline = time.monotonic() + patience_s
        while not self._has_ended() and time.monotonic() < deadline:
            time.sleep(0.002)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _has_ended(self) -> bool:
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

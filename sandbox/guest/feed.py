"""When a run gets which of its cases."""

from __future__ import annotations

import socket

from sandbox.guest import frames


class Feed:
    """The other cases of a run. They wait until the first are answered, and so does the end of the stream.

    Some runs have the first cases only. Until it has answered these a solution cannot tell whether this is one.
    """

    def __init__(self, link: socket.socket, first: int, rest: bytes) -> None:
        link.setblocking(False)
        self._link = link
        self._first = first
        self._rest = memoryview(frames.pack(rest) if rest else b"")
        self._counted = self._position = 0
        self.done = False

    def is_due(self, results: bytearray) -> bool:
        """Whether the first cases are answered, by the frames in `results`."""
        while self._counted < self._first and self._position + frames.HEADER.size <= len(results):
            (length,) = frames.HEADER.unpack_from(results, self._position)
            if self._position + frames.HEADER.size + length > len(results):
                break
            self._position += frames.HEADER.size + length
            self._counted += 1
        return self._counted >= self._first

    def push(self) -> None:
        """Send what the solution takes without waiting for it: it may never read."""
        try:
            while self._rest:
                self._rest = self._rest[self._link.send(self._rest) :]
            self._link.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            return
        except OSError:
            pass
        self.done = True

"""Frames on a byte stream: four bytes of length (big-endian), then that many bytes."""

from __future__ import annotations

import os
import struct

HEADER = struct.Struct(">I")
_CHUNK = 1 << 16


def pack(payload: bytes) -> bytes:
    """One frame."""
    return HEADER.pack(len(payload)) + payload


def read_exactly(descriptor: int, count: int) -> bytes:
    """Exactly `count` bytes from a blocking descriptor. Raises EOFError at its end."""
    parts = []
    while count:
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def read(descriptor: int) -> bytes:
    """The next frame's payload from a blocking descriptor. Raises EOFError at its end."""
    (length,) = HEADER.unpack(read_exactly(descriptor, HEADER.size))
    return read_exactly(descriptor, length)


def write(descriptor: int, payload: bytes) -> None:
    """Write one frame to a blocking descriptor."""
    view = memoryview(pack(payload))
    while view:
        view = view[os.write(descriptor, view) :]


class Stream:
    """Buffered frames over one blocking descriptor: one system call for a small message."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = b""

    def send(self, payload: bytes) -> None:
        """Send one frame. Raises OSError if the other end is gone."""
        write(self._descriptor, payload)

    def receive(self) -> bytes:
        """The next frame's payload. Raises EOFError at the end of the stream."""
        while len(self._buffer) < HEADER.size:
            self._fill()
        (length,) = HEADER.unpack_from(self._buffer)
        end = HEADER.size + length
        if len(self._buffer) < end <= _CHUNK:
            while len(self._buffer) < end:
                self._fill()
        if len(self._buffer) >= end:
            payload, self._buffer = self._buffer[HEADER.size : end], self._buffer[end:]
            return payload
        head, self._buffer = self._buffer[HEADER.size :], b""
        return head + read_exactly(self._descriptor, length - len(head))

    def _fill(self) -> None:
        part = os.read(self._descriptor, _CHUNK)
        if not part:
            raise EOFError
        self._buffer += part

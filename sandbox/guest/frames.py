"""Frames on a byte stream: four bytes of length (big-endian), then that many bytes."""

from __future__ import annotations

import os
import socket
import struct

HEADER = struct.Struct(">I")


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


class SocketStream:
    """Buffered frames over one socket: at most one system call for a small message."""

    def __init__(self, stream: socket.socket) -> None:
        self._socket = stream
        self._buffer = b""

    def send(self, payload: bytes) -> None:
        """Send one frame. Raises OSError if the other end is gone."""
        self._socket.sendall(pack(payload))

    def receive(self) -> bytes:
        """The next frame's payload. Raises EOFError at the end of the stream."""
        while True:
            if len(self._buffer) >= HEADER.size:
                (length,) = HEADER.unpack_from(self._buffer)
                end = HEADER.size + length
                if len(self._buffer) >= end:
                    payload, self._buffer = self._buffer[HEADER.size : end], self._buffer[end:]
                    return payload
                if length > 1 << 16:
                    return self._receive_large(end)
            part = self._socket.recv(1 << 16)
            if not part:
                raise EOFError
            self._buffer += part

    def _receive_large(self, end: int) -> bytes:
        rest = bytearray(end - len(self._buffer))
        view = memoryview(rest)
        while view:
            count = self._socket.recv_into(view)
            if not count:
                raise EOFError
            view = view[count:]
        payload, self._buffer = self._buffer[HEADER.size :] + bytes(rest), b""
        return payload

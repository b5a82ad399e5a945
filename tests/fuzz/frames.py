"""Frames: any bytes are the frames in them and then the end of the stream.

python -m tests.fuzz frames -max_total_time=300
"""

from __future__ import annotations

import os

from sandbox.guest.frames import Stream, pack

SEEDS = (pack(b"one") + pack(b""), b"\xff\xff\xff\xff", pack(b"x" * 300)[:-1], b"\0\0\0")


def check(data: bytes) -> None:
    """`data`: what comes through a pipe before it is closed; no more than a pipe holds."""
    data = data[:60_000]
    receiving, sending = os.pipe()
    os.write(sending, data)
    os.close(sending)
    try:
        read = _all_frames(Stream(receiving))
    finally:
        os.close(receiving)
    assert data.startswith(read)
    rest = data[len(read) :]
    assert len(rest) < 4 or int.from_bytes(rest[:4], "big") > len(rest) - 4


def _all_frames(stream: Stream) -> bytes:
    read = b""
    while True:
        try:
            read += pack(stream.receive())
        except EOFError:
            return read

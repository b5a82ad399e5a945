"""Frames: what was sent arrives however it is cut into pieces; anything else is the end of the stream."""

from __future__ import annotations

import os
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.guest import frames
from tests.sandbox.mutations import mutated_bytes

PAYLOADS = st.lists(st.binary(max_size=40) | st.sampled_from((b"", b"x" * 70_000, b"y" * 65_532)), max_size=5)
VALID = b"".join(map(frames.pack, (b"first", b"", b"third one")))
Reader = Callable[[], bytes]


@contextmanager
def sent(data: bytes, cuts: list[int]) -> Iterator[int]:
    """A descriptor from which `data` comes, cut into pieces at `cuts`, and then the end."""
    receiving, sending = os.pipe()

    def send() -> None:
        ends = sorted({*(cut % (len(data) + 1) for cut in cuts), len(data)})
        for start, end in zip([0, *ends], ends, strict=False):
            os.write(sending, data[start:end])
        os.close(sending)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield receiving
    finally:
        while os.read(receiving, 1 << 20):
            pass
        sender.join()
        os.close(receiving)


def readers(descriptor: int) -> dict[str, Reader]:
    """Both ways to read frames."""
    return {"plain": lambda: frames.read(descriptor), "stream": frames.Stream(descriptor).receive}


def received(read: Reader) -> list[bytes]:
    """All frames up to the end."""
    payloads = []
    while True:
        try:
            payloads.append(read())
        except EOFError:
            return payloads


def expected(data: bytes) -> list[bytes]:
    """The whole frames in `data`, by the definition of a frame."""
    payloads = []
    while len(data) >= 4 and len(data) - 4 >= (length := int.from_bytes(data[:4], "big")):
        payloads.append(data[4 : 4 + length])
        data = data[4 + length :]
    return payloads


@pytest.mark.parametrize("way", ["plain", "stream"])
@given(payloads=PAYLOADS, cuts=st.lists(st.integers(0, 1 << 20), max_size=6))
def test_what_was_sent_arrives(way: str, payloads: list[bytes], cuts: list[int]) -> None:
    with sent(b"".join(map(frames.pack, payloads)), cuts) as descriptor:
        assert received(readers(descriptor)[way]) == payloads


@pytest.mark.parametrize("way", ["plain", "stream"])
@given(data=st.binary(max_size=60) | mutated_bytes(VALID), cuts=st.lists(st.integers(0, 60), max_size=4))
def test_any_bytes_are_frames_and_then_the_end(way: str, data: bytes, cuts: list[int]) -> None:
    with sent(data, cuts) as descriptor:
        assert received(readers(descriptor)[way]) == expected(data)


@pytest.mark.parametrize("way", ["plain", "stream"])
def test_a_frame_that_is_announced_and_does_not_come_takes_no_memory(way: str) -> None:
    with sent(b"\xff\xff\xff\xff" + b"x" * 100_000, [3, 70_000]) as descriptor:
        tracemalloc.start()
        try:
            with pytest.raises(EOFError):
                readers(descriptor)[way]()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 8 << 20


@given(payload=st.binary(max_size=50))
def test_writing_is_the_inverse_of_reading(payload: bytes) -> None:
    receiving, sending = os.pipe()
    try:
        frames.write(sending, payload)
        assert frames.read(receiving) == payload
    finally:
        os.close(sending)
        os.close(receiving)

"""What a guest sends is read with mistrust: it makes a record, a crash of the solution, or a dead guest."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.connection import ProcessConnection
from sandbox.errors import GuestDied
from sandbox.grading import grade
from sandbox.guest import UNCONFINED
from sandbox.guest.frames import HEADER, pack
from sandbox.guests import Guest, Job, RunRecord
from sandbox.records import Limits, Outcome, Verdict
from tests.sandbox.mean_requests import HONEST, request
from tests.sandbox.mutations import ODD_JSON, mutated_bytes, mutated_json
from zwc import _wire

ROOT = Path(__file__).parents[2]
LIMITS = Limits(wall_s=1.0)
REQUEST = request(HONEST)
ENDED = {"status": 0, "cpu_s": 0.01, "peak_bytes": 1 << 20}
WITNESS = {"succeeded": {"mean": 8}, "failed": {}, "misused": {}, "unknown": [], "starred": False, "guessing": False,
           "exhausted": False}  # fmt: skip
SUMMARY = {"stopped": None, "wall_s": 0.02, "solution": ENDED, "kernel": ENDED, "witness": WITNESS}
RESULTS = [[case, "value", -7.5] for case in range(len(REQUEST.cases))]  # all wrong
KINDS = ["value", "unfit", "error", "text", 3, None]


def results(messages: list[Any]) -> bytes:
    """Result frames as a solution's process writes them."""
    return b"".join(pack(_wire.dumps(message)) for message in messages)


class Script:
    """A connection to a guest that says the same to every job."""

    def __init__(self, summary: bytes, answers: bytes, output: bytes = b"") -> None:
        self._frames = (summary, answers, output)
        self._position = 0

    def send(self, payload: bytes, deadline: float) -> None:
        """Take a job."""
        self._position = 0

    def receive(self, deadline: float, most_bytes: int) -> bytes:
        """The next of the three frames."""
        self._position += 1
        return self._frames[self._position - 1]

    def close(self) -> None:
        """Nothing to end."""


def verdict(script: Script) -> Verdict | None:
    """The verdict on the honest solution, or None where the guest counts as dead."""
    guest = Guest(script, LIMITS)
    try:
        return grade(REQUEST, guest.run, LIMITS)
    except GuestDied:
        return None


def test_the_script_is_believed_if_nothing_is_wrong_with_it() -> None:
    """Without this, the tests below could pass because every script is refused."""
    found = verdict(Script(json.dumps(SUMMARY).encode(), results(RESULTS)))
    assert found is not None
    assert found.outcome is Outcome.WRONG_ANSWER
    right = results([[index, "value", case.expected] for index, case in enumerate(REQUEST.cases)])
    assert verdict(Script(json.dumps(SUMMARY).encode(), right)).outcome is Outcome.ANSWER_INDEPENDENT


@given(mutated_json(SUMMARY) | mutated_bytes(json.dumps(SUMMARY).encode()) | st.sampled_from(ODD_JSON))
def test_any_summary_is_read_or_means_a_dead_guest(summary: bytes) -> None:
    found = verdict(Script(summary, results(RESULTS)))
    assert found is None or not found.passed
    json.dumps(found and found.as_dict())


@pytest.mark.parametrize(
    "summary",
    [
        *ODD_JSON,
        *(json.dumps(SUMMARY | change).encode() for change in (
            {"solution": ENDED | {"status": 1 << 70}}, {"solution": ENDED | {"status": -1}}, {"solution": None},
            {"kernel": {}}, {"kernel": 5}, {"wall_s": "1"}, {"wall_s": float("nan")}, {"stopped": "passed"},
            {"witness": []}, {"witness": {"succeeded": [1]}}, {"witness": {}}, {"wall_s": 10**400},
        )),
    ],
)  # fmt: skip
def test_nonsense_means_a_dead_guest(summary: bytes) -> None:
    with pytest.raises(GuestDied):
        Guest(Script(summary, b""), LIMITS).run(Job("", "f", []))


def test_every_end_of_a_process_has_a_verdict() -> None:
    """Also signals that have no name, and core dumps."""
    unconfined = UNCONFINED << 8  # means a guest that does not work
    for status in {*range(256), *range(0, 1 << 16, 256)} - {unconfined}:
        summary = SUMMARY | {"solution": ENDED | {"status": status}}
        found = verdict(Script(json.dumps(summary).encode(), b""))
        assert found is not None
        assert found.outcome in (Outcome.CRASHED, Outcome.TIMEOUT)


@given(
    st.lists(st.tuples(st.integers(-2, 9), st.sampled_from(KINDS), st.recursive(
        st.none() | st.integers() | st.floats() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3)
    )).map(list), max_size=9).map(results)
    | mutated_bytes(results(RESULTS))
    | st.lists(mutated_json(RESULTS[0]).map(pack), max_size=3).map(b"".join)
    | st.lists(st.sampled_from(ODD_JSON).map(pack), max_size=2).map(b"".join)
)  # fmt: skip
def test_any_results_are_judged(answers: bytes) -> None:
    found = verdict(Script(json.dumps(SUMMARY).encode(), answers))
    assert found is not None
    assert not found.passed
    assert found.detail
    found.detail.encode("utf-8")
    json.dumps(found.as_dict())


def test_dicts_with_colliding_keys_take_little_time() -> None:
    """Integers that agree modulo 2**61 - 1 have one hash: a dict of them takes the square of its length to build."""
    keys = [{"i": hex(((1 << 61) - 1) * (k + 16) + 5)} for k in range(60_000)]
    pairs = json.dumps([[key, 0] for key in keys], separators=(",", ":"))
    many = ",".join(f'{{"d":{json.dumps([[key, 0] for key in keys[:1000]])}}}' for _ in range(40))
    for value in (f'{{"d":{pairs}}}', f"[{many}]"):
        answers = pack(f'[0,"value",{value}]'.encode())
        before = time.process_time()
        found = verdict(Script(json.dumps(SUMMARY).encode(), answers[: LIMITS.result_bytes]))
        assert found is not None
        assert not found.passed
        assert time.process_time() - before < 5


# A real process at the other end.


@contextmanager
def sender(data: bytes, folder: Path, then: str = "") -> Iterator[ProcessConnection]:
    """A connection to a process that sends `data` and what the shell command `then` prints."""
    (folder / "data").write_bytes(data)
    connection = ProcessConnection(["/bin/sh", "-c", f"cat {folder / 'data'}; {then or ':'}"], None)
    try:
        yield connection
    finally:
        connection.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is sent."""
    return tmp_path_factory.mktemp("sent")


@given(data=st.binary(max_size=40) | mutated_bytes(b"".join(map(pack, (b"one", b"", b"three")))))
def test_any_stream_is_frames_and_then_a_dead_guest(folder: Path, data: bytes) -> None:
    with sender(data, folder) as connection:
        read = b"".join(map(pack, received(connection)))
    assert data.startswith(read)
    rest = data[len(read) :]
    assert len(rest) < HEADER.size or HEADER.unpack_from(rest)[0] > min(1000, len(rest) - HEADER.size)


def received(connection: ProcessConnection) -> Iterator[bytes]:
    """All payloads until the guest is dead."""
    with contextlib.suppress(GuestDied):
        while True:
            yield connection.receive(time.monotonic() + 10, 1000)


@pytest.mark.parametrize("announced", [1 << 30, (1 << 32) - 1])
def test_more_than_is_expected_is_not_read(folder: Path, announced: int) -> None:
    with sender(HEADER.pack(announced), folder, "exec cat /dev/zero") as connection:
        tracemalloc.start()
        try:
            with pytest.raises(GuestDied, match="announced"):
                connection.receive(time.monotonic() + 10, 1 << 20)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 8 << 20


@pytest.mark.parametrize("data", [b"", b"\0\0", HEADER.pack(100) + b"x" * 99])
def test_silence_ends_at_the_deadline(folder: Path, data: bytes) -> None:
    with sender(data, folder, "exec sleep 60") as connection:
        before = time.monotonic()
        with pytest.raises(GuestDied, match="in time"):
            connection.receive(before + 0.3, 1000)
        assert time.monotonic() - before < 5


@pytest.mark.parametrize(
    "request_bytes", [b"", b"\0", b"\xff\xff\xff\xff", pack(b"{}"), pack(b"[" * 100_000), pack(b'{"limits":{}}')]
)
def test_a_hub_that_is_told_nonsense_ends(request_bytes: bytes) -> None:
    program = "from sandbox.guest.hub import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", program], input=request_bytes, capture_output=True, cwd=ROOT, timeout=60, check=False
    )
    assert result.stdout == b""


def test_the_record_of_a_good_guest_is_complete() -> None:
    record = Guest(Script(json.dumps(SUMMARY).encode(), results(RESULTS), b"\xffhello"), LIMITS).run(
        Job("", "f", [{}] * len(RESULTS))
    )
    assert isinstance(record, RunRecord)
    assert len(record.results) == len(RESULTS)
    assert record.output == "\ufffdhello"
    assert record.malformed is None

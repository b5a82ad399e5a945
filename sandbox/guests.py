"""A guest as the host sees it: it takes jobs, one at a time, and gives back what happened."""

from __future__ import annotations

import json
import math
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from sandbox.connection import Connection
from sandbox.errors import GuestDied
from sandbox.guest import UNCONFINED
from sandbox.guest.frames import HEADER
from sandbox.records import Limits
from zwc import _wire

# A run may be over after so many cases, and no solution learns earlier whether it is.
FIRST_CASES = 2
_START_S = 60.0
_PATIENCE = 8.0
_PATIENCE_S = 60.0
_MOST_WORDS_BYTES = 1 << 20  # of what the hub itself says
_T = TypeVar("_T")


@dataclass(frozen=True)
class Job:
    """One run: code, entry point and arguments. Expected values are not part of it."""

    code: str
    entry_point: str
    cases: list[dict[str, Any]]  # encoded
    targets: tuple[str, ...] = ()
    numpy: bool = False
    alteration: int = 0

    @property
    def conduct(self) -> dict[str, Any]:
        """What the hub must know."""
        first = min(FIRST_CASES, len(self.cases))
        return {"targets": self.targets, "numpy": self.numpy, "alteration": self.alteration, "first": first}

    @property
    def messages(self) -> tuple[bytes, bytes]:
        """What the solution's process gets: code and first cases, and later the others, if there are any."""
        first, rest = self.cases[:FIRST_CASES], self.cases[FIRST_CASES:]
        message = {"code": self.code, "entry_point": self.entry_point, "cases": first}
        return _wire.dumps(message), _wire.dumps({"cases": rest}) if rest else b""


@dataclass(frozen=True)
class Returned:
    """A case that returned plain data."""

    value: Any


@dataclass(frozen=True)
class Failed:
    """A case that did not: `kind` is "unfit" for a value that is not plain data, else the kind of exception."""

    kind: str
    text: str


@dataclass(frozen=True)
class Ended:
    """How a process ended: wait status, CPU seconds, peak memory in bytes."""

    status: int
    cpu_s: float
    peak_bytes: int


@dataclass(frozen=True)
class RunRecord:
    """What happened in one run."""

    results: dict[int, Returned | Failed]
    stopped: str | None
    wall_s: float
    solution: Ended
    kernel: Ended | None
    witness: dict[str, Any] | None
    output: str
    malformed: str | None = field(default=None)

    def killed(self, cpu_s: float) -> bool:
        """Whether something outside the guest seems to have killed one of its processes, such as a machine without
        memory. `cpu_s` is the limit, which kills too."""
        ended = [one for one in (self.solution, self.kernel) if one is not None]
        return self.stopped is None and any(one.status == signal.SIGKILL and one.cpu_s < cpu_s / 2 for one in ended)


class Guest:
    """One hub with its cells. Not safe for use from several threads, `close` excepted."""

    def __init__(self, connection: Connection, limits: Limits) -> None:
        self._connection = connection
        self._limits = limits

    def greet(self, configuration: dict[str, Any]) -> dict[str, Any]:
        """Tell a new guest its configuration; its versions. Comes before the first run. Raises GuestDied."""
        deadline = time.monotonic() + _START_S
        self._connection.send(json.dumps(configuration).encode(), deadline)
        return _read(self._connection.receive(deadline, _MOST_WORDS_BYTES), dict)

    def run(self, job: Job) -> RunRecord:
        """Run a job. Raises GuestDied if the guest does not answer, never for a fault of the code."""
        deadline = time.monotonic() + self._limits.wall_s * _PATIENCE + _PATIENCE_S
        self._connection.send(json.dumps(job.conduct).encode(), deadline)
        for message in job.messages:
            self._connection.send(message, deadline)
        receive, limits = self._connection.receive, self._limits
        summary = _read(receive(deadline, _MOST_WORDS_BYTES), _Summary.parse)
        results, malformed = _parse_results(receive(deadline, limits.result_bytes), len(job.cases))
        output = receive(deadline, limits.kept_output_bytes).decode("utf-8", "replace")
        if summary.stopped == "no start" or (_unconfined(summary.solution) and not results):
            raise GuestDied(f"the solution's process did not start; {output.strip() or 'it left no message'}")
        if summary.kernel and _unconfined(summary.kernel):
            raise GuestDied("the kernel's process did not start")
        return RunRecord(**summary.__dict__, results=results, output=output, malformed=malformed)

    def close(self) -> None:
        """End the guest."""
        self._connection.close()


@dataclass(frozen=True)
class _Summary:
    """The hub's own words on a run."""

    stopped: str | None
    wall_s: float
    solution: Ended
    kernel: Ended | None
    witness: dict[str, Any] | None

    @classmethod
    def parse(cls, message: Any) -> Self:
        """Read parsed JSON. Raises ValueError, TypeError or KeyError on anything that grading could stumble over."""
        kernel, witness = message["kernel"], message["witness"]
        if witness is not None and not isinstance(witness["succeeded"], dict):
            raise TypeError("no functions that were called")
        if message["stopped"] not in (None, "no start", "output", "wall"):
            raise ValueError("an unknown reason for the end of a run")
        return cls(
            stopped=message["stopped"],
            wall_s=_seconds(message["wall_s"]),
            solution=_ended(message["solution"]),
            kernel=None if kernel is None else _ended(kernel),
            witness=witness,
        )


def _read(data: bytes, parse: Callable[[Any], _T]) -> _T:
    """What the hub says in JSON. A hub that talks nonsense is a broken guest. Raises GuestDied."""
    try:
        return parse(_wire.loads(data))
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise GuestDied(f"the guest's answer cannot be read ({type(error).__name__}: {error})"[:300]) from error


def _ended(message: Any) -> Ended:
    status, peak_bytes = message["status"], message["peak_bytes"]
    if type(status) is not int or type(peak_bytes) is not int or not 0 <= status < 1 << 16:
        raise ValueError("not the end of a process")
    return Ended(status, _seconds(message["cpu_s"]), peak_bytes)


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError("not a time in seconds")
    return float(value)


def _unconfined(ended: Ended) -> bool:
    """Whether a process ended before it could be confined: a fault of the machine, unless a solution imitates it."""
    return os.WIFEXITED(ended.status) and os.WEXITSTATUS(ended.status) == UNCONFINED


def _parse_results(data: bytes, cases: int) -> tuple[dict[int, Returned | Failed], str | None]:
    """Results by case (-1: loading the module), and why parsing ended early, if it did."""
    results: dict[int, Returned | Failed] = {}
    position = 0
    while position + HEADER.size <= len(data):
        (length,) = HEADER.unpack_from(data, position)
        position += HEADER.size
        try:
            case, result = _parse_result(_wire.loads(data[position : position + length]))
        except (ValueError, TypeError, RecursionError) as error:
            return results, f"a result cannot be read: {error}"[:200]
        if not -1 <= case < cases or case in results:
            return results, f"an unexpected result for case {case}"
        results[case] = result
        position += length
    return results, None


def _parse_result(message: Any) -> tuple[int, Returned | Failed]:
    case, what, *content = message
    if type(case) is not int:
        raise ValueError("no case number")
    if what == "value" and len(content) == 1:
        return case, Returned(_wire.decode(content[0]))
    if what == "unfit" and len(content) == 1:
        return case, Failed("unfit", str(content[0])[:600])
    if what == "error" and len(content) == 2:
        return case, Failed(str(content[0]), str(content[1])[:600])
    raise ValueError("not a result")

"""A guest as the host sees it: it takes jobs, one at a time, and gives back what happened."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from typing import Any

from sandbox.connection import Connection
from sandbox.errors import GuestDied
from sandbox.guest import UNCONFINED
from sandbox.guest.frames import HEADER
from sandbox.records import Limits
from zwc import _wire

_START_S = 60.0
_PATIENCE = 8.0
_PATIENCE_S = 60.0


@dataclass(frozen=True)
class Job:
    """One run: code, entry point and arguments. Expected values are not part of it."""

    code: str
    entry_point: str
    cases: list[dict[str, Any]]  # encoded
    targets: tuple[str, ...] = ()
    numpy: bool = False
    alteration: int = 0


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


class Guest:
    """One hub with its cells. Not safe for use from several threads, `close` excepted."""

    def __init__(self, connection: Connection, configuration: dict[str, Any], limits: Limits) -> None:
        self._connection = connection
        self._limits = limits
        deadline = time.monotonic() + _START_S
        connection.send(json.dumps(configuration).encode(), deadline)
        self.versions: dict[str, Any] = json.loads(connection.receive(deadline))

    def run(self, job: Job) -> RunRecord:
        """Run a job. Raises GuestDied if the guest does not answer, never for a fault of the code."""
        deadline = time.monotonic() + self._limits.wall_s * _PATIENCE + _PATIENCE_S
        self._connection.send(json.dumps(job.__dict__).encode(), deadline)
        summary = json.loads(self._connection.receive(deadline))
        results, malformed = _parse_results(self._connection.receive(deadline), len(job.cases))
        output = self._connection.receive(deadline).decode("utf-8", "replace")
        if summary["stopped"] == "no start" or (_unconfined(summary["solution"]) and not results):
            raise GuestDied(f"the solution's process did not start; {output.strip() or 'it left no message'}")
        if summary["kernel"] and _unconfined(summary["kernel"]):
            raise GuestDied("the kernel's process did not start")
        return RunRecord(
            results=results,
            stopped=summary["stopped"],
            wall_s=summary["wall_s"],
            solution=Ended(**summary["solution"]),
            kernel=Ended(**summary["kernel"]) if summary["kernel"] else None,
            witness=summary["witness"],
            output=output,
            malformed=malformed,
        )

    def close(self) -> None:
        """End the guest."""
        self._connection.close()


def _unconfined(ended: dict[str, Any]) -> bool:
    """Whether a process ended before it could be confined: a fault of the machine, unless a solution imitates it."""
    return os.WIFEXITED(ended["status"]) and os.WEXITSTATUS(ended["status"]) == UNCONFINED


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

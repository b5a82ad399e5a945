"""Guests, containers and single processes killed in the middle of a batch change no verdict."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sandbox.connection import Connection
from sandbox.errors import GuestDied, SandboxError
from sandbox.guests import Guest, Job, RunRecord
from sandbox.launchers import Launcher
from sandbox.pool import Pool
from sandbox.records import Limits, Outcome, Verdict
from tests.faults.batch import EXPECTED, REQUESTS, comparable, grade_with
from tests.guests import alive, descendants, hub_process
from tests.sandbox.mean_requests import HONEST, request

_RUNS_BETWEEN = 10
_ENDS_ITS_GUEST = "import time, zwc\ndef f(x):\n    time.sleep(30)\n    return 'ends its guest'\n"


def kill_hub(guest: Guest) -> None:
    """End the hub; its cells must end with it."""
    _kill(hub_process(guest))


def kill_container(guest: Guest) -> None:
    """What `docker kill` does."""
    guest._connection._container.kill()  # type: ignore[attr-defined]


def remove_container(guest: Guest) -> None:
    """What `docker rm --force` does."""
    guest._connection._container.remove(force=True)  # type: ignore[attr-defined]


def kill_cell(guest: Guest) -> None:
    """End one of the warm processes that fork the others."""
    _kill(random.choice(sorted(descendants(hub_process(guest)) & _parents(guest))))


def kill_run(guest: Guest) -> None:
    """End the kernel's worker or the solution's process, as a machine without memory does."""
    _kill(random.choice(sorted(descendants(hub_process(guest)) - _parents(guest))))


def _parents(guest: Guest) -> set[int]:
    return {pid for pid in descendants(hub_process(guest)) if descendants(pid)}


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def kills(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Every guest meets the fault `request.param` in each of its runs number 10, 20, …; counts how often."""
    fault: Callable[[Guest], None] = request.param
    plain_run, runs, done = Guest.run, Counter[Guest](), Counter[str]()
    timers: list[threading.Timer] = []

    def strike(guest: Guest) -> None:
        with contextlib.suppress(Exception):  # what was to be killed may have ended by itself
            fault(guest)
            done[fault.__name__] += 1

    def run(guest: Guest, job: Job) -> RunRecord:
        runs[guest] += 1
        if runs[guest] % _RUNS_BETWEEN == 0:
            timers.append(threading.Timer(random.choice((0.0, 0.002, 0.01)), strike, [guest]))
            timers[-1].start()
        return plain_run(guest, job)

    monkeypatch.setattr(Guest, "run", run)
    yield done
    for timer in timers:
        timer.join()


@pytest.mark.parametrize("kills", [kill_hub, kill_cell, kill_run], indirect=True, ids=lambda fault: fault.__name__)
def test_killed_processes_change_no_verdict(
    launcher: Launcher, undisturbed: list[Verdict], kills: Counter[str]
) -> None:
    with Pool(launcher, workers=2) as pool:
        pool.check()
        verdicts = comparable(pool.grade_all(REQUESTS))
    assert kills.total() >= 3
    assert verdicts == undisturbed
    assert [verdict.outcome for verdict in verdicts] == EXPECTED


@pytest.mark.parametrize("launcher", ["docker"], indirect=True)
@pytest.mark.parametrize("kills", [kill_container, remove_container], indirect=True, ids=lambda fault: fault.__name__)
def test_killed_containers_change_no_verdict(
    launcher: Launcher, undisturbed: list[Verdict], kills: Counter[str]
) -> None:
    test_killed_processes_change_no_verdict(launcher, undisturbed, kills)


def test_a_guest_that_dies_between_two_requests_is_replaced(launcher: Launcher) -> None:
    with Pool(launcher, workers=1) as pool:
        for _ in range(3):
            assert pool.grade(request(HONEST)).passed
            (guest,) = pool._guests
            hub = hub_process(guest)
            kill_hub(guest)
            while alive({hub}):
                pass
        assert pool.grade(request(HONEST)).passed


def test_all_guests_of_a_pool_die_at_once(launcher: Launcher, undisturbed: list[Verdict]) -> None:
    verdicts: list[Verdict] = []
    with Pool(launcher, workers=3) as pool:
        list(pool.grade_all(REQUESTS[:12]))
        guests = list(pool._guests)
        grade_with(lambda: [kill_hub(guest) for guest in guests], pool, verdicts)
        assert not pool._guests & set(guests)
    assert len(guests) == 3
    assert comparable(verdicts) == undisturbed


def test_a_solution_that_ends_its_guest_each_time_is_to_blame_and_nobody_else(
    launcher: Launcher, undisturbed: list[Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain_run = Guest.run

    def run(guest: Guest, job: Job) -> RunRecord:
        if "ends its guest" in job.code:
            threading.Timer(0.05, kill_hub, [guest]).start()
        return plain_run(guest, job)

    monkeypatch.setattr(Guest, "run", run)
    middle = len(REQUESTS) // 2
    with Pool(launcher, workers=2) as pool:
        mixed = [*REQUESTS[:middle], request(_ENDS_ITS_GUEST), *REQUESTS[middle:]]
        verdicts = comparable(pool.grade_all(mixed))
    culprit = verdicts.pop(middle)
    assert culprit.outcome is Outcome.CRASHED
    assert "ended its guest twice" in culprit.detail
    assert verdicts == undisturbed


@pytest.mark.parametrize("launcher", ["process"], indirect=True)
def test_a_solution_that_can_reach_its_guest_is_blamed_for_its_end(
    launcher: Launcher, undisturbed: list[Verdict]
) -> None:
    """Only where nothing is isolated a solution can do it by itself."""
    code = "import os, zwc\ndef f(x):\n    os.kill(os.getppid(), 9)\n"
    middle = len(REQUESTS) // 2
    with Pool(launcher, workers=2) as pool:
        mixed = [*REQUESTS[:middle], request(code), *REQUESTS[middle:]]
        verdicts = comparable(pool.grade_all(mixed))
    assert verdicts.pop(middle).outcome is Outcome.CRASHED
    assert verdicts == undisturbed


class Stillborn:
    """A launcher whose first `count` guests are gone as soon as they are there."""

    name = "stillborn"
    provenance: dict[str, str] = {}

    def __init__(self, launcher: Launcher, count: int) -> None:
        self.launcher = launcher
        self.count = count
        self.started = 0

    def check(self) -> None:
        """Nothing can be seen from outside."""

    def start(self, limits: Limits) -> tuple[Connection, dict[str, list[str]], dict[str, Any]]:
        """A guest of the real launcher, closed if it is one of the first."""
        self.started += 1
        connection, commands, shared = self.launcher.start(limits)
        if self.started <= self.count:
            connection.close()
        return connection, commands, shared


def test_guests_that_do_not_live_to_grade_are_nobodys_fault(launcher: Launcher) -> None:
    stillborn = Stillborn(launcher, count=2)
    with Pool(stillborn, workers=1) as pool:
        assert pool.grade(request(HONEST)).passed
    assert stillborn.started == 3


def test_guests_that_never_live_are_an_error_and_no_verdict(launcher: Launcher) -> None:
    stillborn = Stillborn(launcher, count=1000)
    with Pool(stillborn, workers=1) as pool, pytest.raises(SandboxError, match="3 new guests died") as raised:
        pool.grade(request(HONEST))
    assert not isinstance(raised.value, GuestDied)
    assert stillborn.started == 3


def test_a_closed_pool_takes_nothing() -> None:
    pool = Pool("process", workers=1)
    pool.close()
    for use in (pool.grade, pool.submit):
        with pytest.raises(SandboxError, match="takes no more work"):
            use(request(HONEST))

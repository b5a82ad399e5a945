"""The two long runs: very many gradings through one pool, and one set again and again on a busy machine."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.pool import Pool
from tests.adversarial.suite import LIMITS, CountingPool
from tests.endurance import gauges
from tests.endurance.responses import Response, largest, stream
from tests.endurance.trend import Trend, trends
from tests.endurance.verdicts import Verdicts
from tests.faults.leftovers import Leftovers, adopting_orphans

GoOn = Callable[[int, dict[str, float]], bool]


@dataclass(frozen=True)
class Plan:
    """How much to grade, on what. `large_first` answers come before the first batch; what is left may take so long."""

    sandbox: str
    gradings: int
    batch: int
    workers: int = 2
    large_first: int = 40
    patience_s: float = 20.0


@dataclass(frozen=True)
class Endured:
    """What came of very many gradings. `left` says by kind what is there after the pool and was not before."""

    gradings: int
    seconds: float
    guests_started: int
    trends: list[Trend]
    verdicts: Verdicts
    left: dict[str, set[Any]]

    @property
    def sound(self) -> bool:
        """Whether nothing grows, no verdict is wrong, and nothing is left behind."""
        grown = any(trend.grows for trend in self.trends)
        return not (grown or self.verdicts.wrong() or self.left)


def endure(plan: Plan, responses: list[Response], go_on: GoOn) -> Endured:
    """Grade batch after batch through one pool, some large answers first, and read the gauges after each batch.

    `go_on` hears how many gradings are done and what the gauges say after each batch, and may end the run early.
    """
    verdicts, readings = Verdicts(), {}
    started = time.monotonic()
    with _own_temporary_folder() as folder, adopting_orphans():
        leftovers = Leftovers(folder)
        with CountingPool(plan.sandbox, workers=plan.workers, limits=LIMITS) as pool:
            _grade(pool, largest(plan.large_first), verdicts)
            source = stream(responses)
            for _ in range(0, plan.gradings, plan.batch):
                _grade(pool, itertools.islice(source, plan.batch), verdicts)
                readings[verdicts.total] = gauges.read(pool, folder)
                if not go_on(verdicts.total, readings[verdicts.total]):
                    break
        left = leftovers.found(patience_s=plan.patience_s)
    seconds = time.monotonic() - started
    return Endured(verdicts.total, seconds, pool.started, trends(readings), verdicts, left)


def repeat_under_load(sandbox: str, workers: int, responses: list[Response], rounds: int) -> Verdicts:
    """Grade the same responses several times while every processor has other work to do."""
    verdicts = Verdicts()
    with _busy_processors(), CountingPool(sandbox, workers=workers, limits=LIMITS) as pool:
        for _ in range(rounds):
            _grade(pool, responses, verdicts)
    return verdicts


def _grade(pool: Pool, responses: Iterable[Response], verdicts: Verdicts) -> None:
    chosen = list(responses)
    for response, verdict in zip(chosen, pool.grade_all(r.request for r in chosen), strict=True):
        verdicts.add(response, verdict)


@contextmanager
def _own_temporary_folder() -> Iterator[Path]:
    """A folder for this process's temporary files, so that nobody else's are counted."""
    previous = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="sebench-endurance-") as name:
        tempfile.tempdir = name
        try:
            yield Path(name)
        finally:
            tempfile.tempdir = previous


@contextmanager
def _busy_processors() -> Iterator[None]:
    """Two endless loops for every processor, at the priority of the guests."""
    context = multiprocessing.get_context("spawn")
    loops = [context.Process(target=_spin, args=(os.getpid(),), daemon=True) for _ in range(2 * (os.cpu_count() or 1))]
    for loop in loops:
        loop.start()
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.join()
            loop.close()


def _spin(parent: int) -> None:
    """Compute until the parent is gone."""
    while os.getppid() == parent:
        sum(range(100_000))

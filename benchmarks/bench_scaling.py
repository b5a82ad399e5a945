"""How the pool grows: with workers, with batch size, in memory; and what it leaves of a trainer's event loop.

    python benchmarks/bench_scaling.py [--sandbox bwrap] [--rounds 3] [--limit N] [--json FILE]

Mixed responses, as reinforcement learning makes them (see `bench_throughput.py`); without `--limit`, of 32 problems.

- workers: 1, 2, 4, up to four per processor. "times one" is the growth. Memory is the proportional share (PSS) of all
  processes of the guests, in which pages that processes share count once, per worker; right after grading.
- batch size: 1, 8, 64, 256 responses in one call. A small batch cannot keep all workers busy.
- one batch of reinforcement learning: 32 problems with 8 responses each, in one call of `grade_all`, and by
  `grade_async` in an event loop beside a ticker that wants its turn every millisecond. "longest pause" is the longest
  time between two of its turns; the row "nothing" shows what the machine does to the ticker on its own. "most ahead" is
  how many responses the pool ever had taken on at once: it stays at four per worker, however many wait.

How to read it: compare rows of one table; a machine with other work on it shows less growth than there is.
"""

from __future__ import annotations

import asyncio
import time
from argparse import Namespace
from collections.abc import Awaitable, Sequence
from concurrent.futures import Future
from statistics import median
from typing import Any

import _measure
import _memory
import _responses

from sandbox.pool import Pool
from sandbox.records import GradingRequest, Verdict

_BATCHES = (1, 8, 64, 256)
_PROBLEMS, _RESPONSES = 32, 8
_TICK_S = 0.001
_MIB = 1 << 20


class CountingPool(Pool):
    """A pool that remembers how many responses it ever had taken on at once."""

    taken_on = 0
    most_ahead = 0

    def _enqueue(self, request: GradingRequest) -> Future[Verdict]:
        self.taken_on += 1
        self.most_ahead = max(self.most_ahead, self.taken_on)
        future = super()._enqueue(request)
        future.add_done_callback(self._finished)
        return future

    def _finished(self, _: object) -> None:
        self.taken_on -= 1


def repeated(requests: Sequence[GradingRequest], count: int) -> list[GradingRequest]:
    """As many requests as asked for, over and over the same."""
    return [requests[index % len(requests)] for index in range(count)]


def rate(pool: Pool, requests: Sequence[GradingRequest], rounds: int) -> float:
    """Responses per second, the median of several rounds."""
    times = [_measure.seconds(lambda: list(pool.grade_all(requests))) for _ in range(rounds)]
    return len(requests) / median(times)


def warm(pool: Pool, requests: Sequence[GradingRequest]) -> None:
    """Start every guest."""
    list(pool.grade_all(repeated(requests, max(len(requests), 4 * pool.workers))))


def by_workers(options: Namespace, work: _measure.Work, requests: list[GradingRequest]) -> list[dict[str, Any]]:
    """Rate and memory with more and more workers."""
    rows: list[dict[str, Any]] = []
    count = 1
    while count <= 4 * _measure.PROCESSORS:
        with Pool(options.sandbox, work.vocabulary, count) as pool:
            warm(pool, requests)
            per_second = rate(pool, requests, options.rounds)
            pss_bytes = _memory.pss_bytes(pool)
        rows.append(
            {
                "workers": str(count),
                "responses/s": per_second,
                "times one": per_second / (rows[0]["responses/s"] if rows else per_second),
                "MiB per worker": None if pss_bytes is None else pss_bytes / count / _MIB,
            }
        )
        count *= 2
    return rows


def by_batch(pool: Pool, requests: list[GradingRequest], rounds: int) -> list[dict[str, Any]]:
    """Rate by the number of responses in one call."""
    rates = {size: rate(pool, repeated(requests, size), rounds) for size in _BATCHES}
    best = max(rates.values())
    return [{"batch": str(size), "responses/s": value, "of the best": value / best} for size, value in rates.items()]


async def alongside(work: Awaitable[object]) -> tuple[float, float]:
    """Seconds that `work` takes, and the longest pause of a ticker meanwhile."""
    ticks: list[float] = []

    async def tick() -> None:
        while True:
            ticks.append(time.perf_counter())
            await asyncio.sleep(_TICK_S)

    ticker = asyncio.create_task(tick())
    await asyncio.sleep(10 * _TICK_S)
    started = time.perf_counter()
    await work
    elapsed_s = time.perf_counter() - started
    ticker.cancel()
    pauses = [later - earlier for earlier, later in zip(ticks, [*ticks[1:], time.perf_counter()], strict=True)]
    return elapsed_s, max(pauses)


async def graded(pool: Pool, batch: list[GradingRequest]) -> None:
    """Grade a batch in an event loop, all responses awaited at once."""
    await asyncio.gather(*(pool.grade_async(request) for request in batch))


def training(pool: CountingPool, batch: list[GradingRequest]) -> list[dict[str, Any]]:
    """One batch of reinforcement learning, by both interfaces; and the ticker without any grading."""
    together_s = _measure.seconds(lambda: list(pool.grade_all(batch)))
    rows = [_row("grade_all", len(batch), together_s, None, pool.most_ahead)]
    pool.most_ahead = 0
    rows.append(_row("grade_async", len(batch), *asyncio.run(alongside(graded(pool, batch))), pool.most_ahead))
    idle_s, pause_s = asyncio.run(alongside(asyncio.sleep(rows[-1]["seconds"])))
    return [*rows, _row("nothing", 0, idle_s, pause_s, 0)]


def _row(name: str, responses: int, elapsed_s: float, pause_s: float | None, most_ahead: int) -> dict[str, Any]:
    return {
        "": name,
        "responses": str(responses),
        "seconds": elapsed_s,
        "responses/s": responses / elapsed_s,
        "longest pause ms": None if pause_s is None else pause_s * 1000,
        "most ahead": str(most_ahead),
    }


def main() -> None:
    """Measure growth, then a batch of reinforcement learning."""
    options = _measure.arguments(__doc__, rounds=3).parse_args()
    work = _measure.load(min(options.limit or _PROBLEMS, _PROBLEMS))
    requests = work.requests(_responses.mixed_responses(work))
    with CountingPool(options.sandbox, work.vocabulary, options.workers) as pool:
        sample = f"{work.name}: mixed responses to {len(requests)} problems, {options.rounds} rounds"
        report = _measure.Report(sample, _measure.setting(pool))
        report.table("workers", by_workers(options, work, requests))
        warm(pool, requests)
        report.table("batch size", by_batch(pool, requests, options.rounds))
        pool.most_ahead = 0
        batch = [request for request in requests for _ in range(_RESPONSES)]
        report.table("a batch of reinforcement learning", training(pool, batch))
    report.write(options.json)


if __name__ == "__main__":
    main()

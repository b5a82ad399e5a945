"""Whether a gauge grows: the slope over a run, the warm-up left aside, against a stated bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import linear_regression

_WARM_UP = 0.25
_LEAST_READINGS = 4
# By the first words of a gauge: how much it may grow over a whole run. Memory in MiB, the rest in counts. Heaps get
# holes from answers of every size, which takes thousands of gradings to come to rest; the kernel's processes are
# replaced when they have grown; a hub comes to hold the largest replies that it has carried. Over 50,000 gradings the
# bound of host and hubs is 330 bytes a grading.
BOUNDS = {
    "memory of host": 16.0,
    "memory of hubs": 16.0,
    "memory of zygotes": 8.0,
    "memory of kernels": 64.0,
    "descriptors": 2.0,
    "threads": 0.5,
    "processes": 0.5,
    "kernel processes": 2.0,
    "temporary files": 0.5,
    "temporary bytes": 10_000.0,
    "shared memory": 0.5,
    "files in guests": 0.5,
}


@dataclass(frozen=True)
class Trend:
    """One gauge over a run: its value when warm and at the end, and the growth that a straight line gives."""

    gauge: str
    warm: float
    end: float
    growth: float

    @property
    def bound(self) -> float:
        """How much it may grow."""
        return next(bound for words, bound in BOUNDS.items() if self.gauge.startswith(words))

    @property
    def grows(self) -> bool:
        """Whether it grows beyond its bound."""
        return self.growth > self.bound


def trends(readings: Mapping[int, Mapping[str, float]]) -> list[Trend]:
    """The trend of every gauge over readings by gradings done. Raises ValueError on less than four readings."""
    if len(readings) < _LEAST_READINGS:
        raise ValueError(f"a trend needs at least {_LEAST_READINGS} readings, got {len(readings)}")
    positions = list(readings)[int(len(readings) * _WARM_UP) :]
    return [_trend(gauge, positions, [readings[at][gauge] for at in positions]) for gauge in readings[positions[0]]]


def _trend(gauge: str, positions: Sequence[int], values: Sequence[float]) -> Trend:
    slope = linear_regression(positions, values).slope
    return Trend(gauge, values[0], values[-1], slope * (positions[-1] - positions[0]))


def table(found: Sequence[Trend]) -> str:
    """The trends as text."""
    head = f"{'gauge':24} {'warm':>8} {'end':>8} {'growth':>8} {'bound':>6}"
    rows = [
        f"{t.gauge:24} {t.warm:8.1f} {t.end:8.1f} {t.growth:8.2f} {t.bound:6.1f}{'  GROWS' if t.grows else ''}"
        for t in found
    ]
    return "\n".join((head, *rows))

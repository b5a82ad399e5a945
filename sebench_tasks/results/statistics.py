"""Means with intervals, and paired differences. A problem's samples belong together: problems are what is drawn."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

_PERMUTATIONS = 20_000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Mean:
    """A mean over problems, with its confidence interval."""

    value: float
    low: float
    high: float
    problems: int


@dataclass(frozen=True)
class Difference:
    """A paired difference over the same problems, second minus first.

    `detectable` is the size that a difference must have to be found in four of five runs, at 5%, one-sided.
    """

    value: float
    low: float
    high: float
    p_value: float
    problems: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    detectable: float


def mean(rates: Mapping[str, float], confidence: float = CONFIDENCE) -> Mean:
    """The mean of the problems' rates with a Wilson interval, widened or narrowed for repeated samples.

    The interval takes as many independent trials as would give the standard error that is observed between problems
    (Kish's effective size), so that samples of one problem do not count as independent. Raises ValueError on no rates.
    """
    values = list(rates.values())
    if not values:
        raise ValueError("there is nothing to take the mean of")
    value = math.fsum(values) / len(values)
    variance = math.fsum((rate - value) ** 2 for rate in values) / max(1, len(values) - 1)
    trials = value * (1 - value) / (variance / len(values)) if variance else len(values)
    return Mean(value, *_wilson(value, trials, confidence), len(values))


def _wilson(value: float, trials: float, confidence: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (value + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(value * (1 - value) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    return max(0.0, min(value, centre - half)), min(1.0, max(value, centre + half))


def difference(
    first: Mapping[str, float], second: Mapping[str, float], confidence: float = CONFIDENCE, seed: int = 0
) -> Difference:
    """How `second` differs from `first` on the problems of both. Raises ValueError if they share none."""
    keys = [key for key in first if key in second]
    if not keys:
        raise ValueError("the two results share no problem")
    changes = [second[key] - first[key] for key in keys]
    value = math.fsum(changes) / len(changes)
    error = _standard_error(changes)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return Difference(
        value=value,
        low=max(-1.0, value - z * error),
        high=min(1.0, value + z * error),
        p_value=_sign_flips(changes, seed),
        problems=len(keys),
        gained=tuple(key for key, change in zip(keys, changes, strict=True) if change > 0),
        lost=tuple(key for key, change in zip(keys, changes, strict=True) if change < 0),
        detectable=(NormalDist().inv_cdf(0.95) + NormalDist().inv_cdf(0.8)) * error,
    )


def _standard_error(changes: Sequence[float]) -> float:
    """Of the mean, as if one more problem had been gained and one lost: few that turned say little, all one way or not.

    With this the interval excludes 0 from five problems on that all turned one way, as the exact sign test does.
    """
    centre = math.fsum(changes) / len(changes)
    squares = math.fsum((change - centre) ** 2 for change in changes) + 2.0
    return math.sqrt(squares / max(1, len(changes) - 1) / len(changes))


def _sign_flips(changes: Sequence[float], seed: int) -> float:
    """Two-sided p value: how often random signs give a sum as far from 0."""
    turned = np.array([change for change in changes if change])
    if not turned.size:
        return 1.0
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(_PERMUTATIONS, turned.size))
    extreme = int(np.sum(np.abs(signs @ turned) >= abs(turned.sum()) - 1e-9))
    return (extreme + 1) / (_PERMUTATIONS + 1)

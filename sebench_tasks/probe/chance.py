"""What chance explains: exact randomisation tests over the ways in which true names could have been drawn.

A block is an array (functions, names) of scores whose diagonal holds the true pairs. Which name went to which function
was drawn at random, so the observed diagonal is one of the block's permutations, all equally likely unless the model
knows better. A list is a row of scores of equally likely names with the true one first. Preferences for some letters
or for some functions change all permutations alike: they cannot make a p-value small.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Scores: TypeAlias = NDArray[np.float64]

ROUNDS = 9999
_ROUNDING = 1e-9


def centred(block: Scores) -> Scores:
    """Without the means of rows and columns: what a name gains from one question over its gain from the others."""
    rows, columns = block.mean(axis=1, keepdims=True), block.mean(axis=0, keepdims=True)
    return np.asarray(block - rows - columns + block.mean())


def pairing_p(blocks: Sequence[Scores], rng: Generator, rounds: int = ROUNDS) -> float:
    """P-value of the sum of the diagonals among random pairings within blocks."""
    null = np.zeros(rounds)
    for block in blocks:
        rows = np.arange(len(block))
        columns = rng.permuted(np.tile(rows, (rounds, 1)), axis=1)
        null += block[rows, columns].sum(axis=1)
    return _share_above(null, sum(float(np.trace(block)) for block in blocks))


def choice_p(lists: Scores, rng: Generator, rounds: int = ROUNDS) -> float:
    """P-value of the sum of first entries among random choices of one entry in each row."""
    count, options = lists.shape
    null = lists[np.arange(count), rng.integers(options, size=(rounds, count))].sum(axis=1)
    return _share_above(null, float(lists[:, 0].sum()))


def first_places(rows: Scores) -> Scores:
    """1 where an entry is the highest of its row; entries that tie for it share the 1."""
    best = np.isclose(rows, rows.max(axis=1, keepdims=True), rtol=0, atol=_ROUNDING)
    return np.asarray(best / best.sum(axis=1, keepdims=True), dtype=np.float64)


def interval(share: float, count: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a share that was measured on `count` questions."""
    z = statistics.NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2) / (1 + z * z / count)
    return max(0.0, centre - half), min(1.0, centre + half)


def discoveries(values: Scores, null: Scores, rate: float) -> tuple[Scores, NDArray[np.bool_]]:
    """P-value of each value among the null ones, and which values count as real at that false discovery rate.

    Source of the selection: Benjamini and Hochberg, 1995.
    """
    above = len(null) - np.searchsorted(np.sort(null), values - _ROUNDING)
    p = np.asarray((1 + above) / (1 + len(null)), dtype=np.float64)
    ordered = np.sort(p)
    within = ordered <= rate * np.arange(1, len(p) + 1) / len(p)
    return p, p <= (ordered[within].max() if within.any() else -1.0)


def _share_above(null: Scores, observed: float) -> float:
    """The observed arrangement counts as one of the random ones: the test is exact."""
    return float((1 + (null >= observed - _ROUNDING).sum()) / (1 + len(null)))

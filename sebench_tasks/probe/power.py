"""How much knowledge the probe would notice: simulated with the model's own scores of names that it cannot know."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator

from sebench_tasks.probe import chance
from sebench_tasks.probe.chance import Scores
from sebench_tasks.probe.model import Form
from sebench_tasks.probe.questions import Kind
from sebench_tasks.probe.sheet import Scales, Sheet, scales

_TRIALS = 25
_NOTICED = 0.8
_ROUNDS = 499
_EVEN_ODDS = math.log(0.5)

Planted = Callable[[set[int], Generator], list[Scores]]


@dataclass(frozen=True)
class Limits:
    """Fewest known functions that four of five probes would notice; None if even all would go unnoticed.

    `recall`: the model by itself would write their names at even odds, or answer right where it can only answer.
    `recognition`: it merely prefers the true name to the others of its block, by a margin that chance also gives.
    """

    recall: int | None
    recognition: int | None


def limits(control: Sheet, form: Form, significance: float, seed: int) -> Limits:
    """Simulate knowledge of translations, on scores that show none."""
    rng, units = np.random.default_rng(seed), scales(control, control)
    level = 1 - math.sqrt(1 - significance)  # of one test of two
    recalled = partial(_recalled, control, units, _EVEN_ODDS if form is Form.LIKELIHOOD else 1.0)
    recognised = partial(_recognised, control.translation(units))
    return Limits(_limit(recalled, control.size, level, rng), _limit(recognised, control.size, level, rng))


def _limit(planted: Planted, size: int, level: float, rng: Generator) -> int | None:
    """Bisection: more knowledge is easier to notice."""
    if not _is_noticed(planted, size, size, level, rng):
        return None
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_noticed(planted, middle, size, level, rng) else (middle, high)
    return high


def _is_noticed(planted: Planted, count: int, size: int, level: float, rng: Generator) -> bool:
    noticed = 0
    for _ in range(_TRIALS):
        known = set(rng.choice(size, count, replace=False).tolist())
        noticed += chance.pairing_p(planted(known, rng), rng, _ROUNDS) <= level
    return noticed >= math.ceil(_NOTICED * _TRIALS)


def _recalled(control: Sheet, units: Scales, known_score: float, known: set[int], rng: Generator) -> list[Scores]:
    """Scores after a random pairing in which the known functions' names score as one that the model recalls."""
    orders = [rng.permutation(len(block)) for block in control.blocks[Kind.NAME]]
    raw: dict[Kind, list[Scores]] = {}
    for kind, blocks in control.blocks.items():
        raw[kind] = [block[:, order] for block, order in zip(blocks, orders, strict=True)]
        for block, rows in zip(raw[kind], _known_rows(raw[kind], known), strict=True):
            block[rows, rows] = np.maximum(block[rows, rows], known_score)
    return Sheet(raw, control.lists).translation(units)


def _recognised(blocks: Sequence[Scores], known: set[int], rng: Generator) -> list[Scores]:
    """Scores after a random pairing in which each known function's best name is the true one."""
    paired = [block[:, rng.permutation(len(block))] for block in blocks]
    for block, rows in zip(paired, _known_rows(paired, known), strict=True):
        best = block[rows].argmax(axis=1)
        block[rows, best], block[rows, rows] = block[rows, rows], block[rows, best]
    return paired


def _known_rows(blocks: Sequence[Scores], known: set[int]) -> list[list[int]]:
    """The known functions' rows within each block; functions are numbered through all blocks."""
    starts = np.cumsum([0, *(len(block) for block in blocks)])
    return [
        [row for row in range(len(block)) if start + row in known] for start, block in zip(starts, blocks, strict=False)
    ]

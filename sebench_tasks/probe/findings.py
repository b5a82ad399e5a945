"""From scores to a verdict in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sebench_tasks.probe import chance
from sebench_tasks.probe.chance import Scores
from sebench_tasks.probe.plan import Plan
from sebench_tasks.probe.questions import TRANSLATION, Kind
from sebench_tasks.probe.sheet import Scales, Sheet, scales

SIGNIFICANCE = 0.01
FALSE_DISCOVERIES = 0.05
SPENT = 0.5


class Knowledge(StrEnum):
    """What the probe concludes about a vocabulary."""

    NONE = "none"
    PART = "part"
    MOST = "most"


@dataclass(frozen=True)
class Estimate:
    """How many functions are known, if a known one is always answered right and the others by chance.

    `low` and `high` bound a 95% interval. `right` counts answers that ranked first, `chance` is its expectation.
    """

    right: float
    chance: float
    known: float
    low: float
    high: float


@dataclass(frozen=True)
class KindFinding:
    """One kind of question: p-values of the vocabulary and of the control, the estimate, and the control's answers."""

    p_value: float
    control_p_value: float
    estimate: Estimate
    control_right: float


@dataclass(frozen=True)
class Finding:
    """What the probe found about one vocabulary. `functions` says of each function what it scored."""

    label: str
    fingerprint: str
    asked: int
    knowledge: Knowledge
    p_value: float
    control_p_value: float
    kinds: dict[str, KindFinding]
    translation: Estimate
    completion: Estimate
    known: tuple[str, ...]
    functions: dict[str, dict[str, Any]]

    @property
    def text(self) -> str:
        """The verdict in plain words."""
        if self.knowledge is Knowledge.NONE:
            return "no sign that it knows the vocabulary"
        if self.knowledge is Knowledge.PART:
            return f"knows part of it: about {self.count} functions of {self.asked}"
        return f"known (about {self.count} functions of {self.asked}): choose a new seed"

    @property
    def count(self) -> int:
        """Functions that it knows by translation or by completion, whichever shows more, and at least those named."""
        return max(round(self.translation.known), round(self.completion.known), len(self.known), 1)


def judge(plan: Plan, sheet: Sheet, control: Sheet, seed: int) -> Finding:
    """Compare the scores of a vocabulary with chance, and with the scores of one that nobody can know."""
    rng, units = np.random.default_rng(seed), scales(sheet, control)
    p_value, control_p = overall_p(sheet, units, rng), overall_p(control, units, rng)
    translation = _estimate(sheet.translation(units))
    completion = _estimate([sheet.completion(units)], true_first=True)
    single = _singly(sheet, control, units)
    significant = p_value <= SIGNIFICANCE
    known = tuple(sorted(np.array(plan.functions)[single["known"]].tolist())) if significant else ()
    return Finding(
        label=plan.vocabulary.label,
        fingerprint=plan.vocabulary.fingerprint,
        asked=sheet.size,
        knowledge=_knowledge(significant, max(translation.known, completion.known, len(known)) / sheet.size),
        p_value=p_value,
        control_p_value=control_p,
        kinds={kind.value: _kind_finding(kind, sheet, control, units, rng) for kind in Kind},
        translation=translation,
        completion=completion,
        known=known,
        functions=_functions(plan, sheet, units, single, set(known)),
    )


def _knowledge(significant: bool, share: float) -> Knowledge:
    if not significant:
        return Knowledge.NONE
    return Knowledge.MOST if share >= SPENT else Knowledge.PART


def overall_p(sheet: Sheet, units: Scales, rng: Generator) -> float:
    """Of two tests the smaller p-value, corrected for the choice.

    One tests who is called what, whatever the names are; the other tests the names. So they are independent.
    """
    pairing = chance.pairing_p(sheet.translation(units), rng)
    return round(1 - (1 - min(pairing, chance.choice_p(sheet.completion(units), rng))) ** 2, 6)


def _kind_finding(kind: Kind, sheet: Sheet, control: Sheet, units: Scales, rng: Generator) -> KindFinding:
    lists = kind is Kind.COMPLETION
    return KindFinding(
        p_value=_kind_p(kind, sheet, rng),
        control_p_value=_kind_p(kind, control, rng),
        estimate=_estimate(sheet.centred(kind), lists),
        control_right=_estimate(control.centred(kind), lists).right,
    )


def _kind_p(kind: Kind, sheet: Sheet, rng: Generator) -> float:
    blocks = sheet.centred(kind)
    return chance.choice_p(blocks[0], rng) if kind is Kind.COMPLETION else chance.pairing_p(blocks, rng)


def _estimate(blocks: list[Scores], true_first: bool = False) -> Estimate:
    """From the arrays of one test; the true names are on their diagonals, or first in each row.

    In a block the last name follows from the others: for the interval it counts as one question fewer.
    """
    ranked = [chance.first_places(block) for block in blocks]
    right = sum(float(block[:, 0].sum() if true_first else np.trace(block)) for block in ranked)
    count = sum(len(block) for block in blocks)
    guessed = sum(len(block) / block.shape[1] for block in blocks)
    shares = chance.interval(right / count, count if true_first else count - len(blocks))
    low, high = (_above_chance(count * share, guessed, count) for share in shares)
    return Estimate(right, guessed, _above_chance(right, guessed, count), low, high)


def _above_chance(right: float, guessed: float, count: int) -> float:
    return max(0.0, (right - guessed) / (count - guessed)) * count


def _singly(sheet: Sheet, control: Sheet, units: Scales) -> dict[str, NDArray[Any]]:
    """Each function by itself: its scores' p-values among the scores of false pairs and of the control."""
    own, other = sheet.translation(units), control.translation(units)
    true = np.concatenate([np.diagonal(block) for block in own])
    false = [block[~np.eye(len(block), dtype=bool)] for block in own]
    pairing, paired = chance.discoveries(
        true, np.concatenate([*false, *(block.ravel() for block in other)]), FALSE_DISCOVERIES / 2
    )
    lists, null = sheet.completion(units), control.completion(units)
    naming, named = chance.discoveries(
        lists[:, 0], np.concatenate([lists[:, 1:].ravel(), null.ravel()]), FALSE_DISCOVERIES / 2
    )
    return {"translation": pairing, "completion": naming, "known": paired | named}


def _functions(
    plan: Plan, sheet: Sheet, units: Scales, single: dict[str, NDArray[Any]], known: set[str]
) -> dict[str, dict[str, Any]]:
    """Of each function: pseudo-name, whether it is known, p-values, and centred scores over their scale by kind."""
    scores = {kind: np.concatenate([np.diagonal(b) for b in sheet.centred(kind)]) / units[kind] for kind in TRANSLATION}
    scores[Kind.COMPLETION] = sheet.completion(units)[:, 0]
    return {
        function_id: {
            "name": plan.vocabulary.names[function_id],
            "known": function_id in known,
            "p_translation": round(float(single["translation"][row]), 6),
            "p_completion": round(float(single["completion"][row]), 6),
            "scores": {kind.value: round(float(values[row]), 3) for kind, values in scores.items()},
        }
        for row, function_id in enumerate(plan.functions)
    }

"""The scores of one vocabulary's plan, as the arrays that the tests of chance take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sebench_tasks.probe import chance
from sebench_tasks.probe.chance import Scores
from sebench_tasks.probe.plan import Plan
from sebench_tasks.probe.questions import TRANSLATION, Kind, Pair

Scales = Mapping[Kind, float]


@dataclass(frozen=True)
class Sheet:
    """Raw scores. `blocks` holds for each kind of translation arrays (functions, names); `lists` is (functions, names)
    with the true name's score first."""

    blocks: Mapping[Kind, Sequence[Scores]]
    lists: Scores

    @property
    def size(self) -> int:
        """How many functions were asked about."""
        return len(self.lists)

    def spread(self, kind: Kind) -> float:
        """Standard deviation of a kind's centred scores; the same for all pairings of the names."""
        return float(np.concatenate([block.ravel() for block in self.centred(kind)]).std())

    def centred(self, kind: Kind) -> list[Scores]:
        """Scores of a kind without what is due to the function or to the name alone."""
        if kind is Kind.COMPLETION:
            return [self.lists - self.lists.mean(axis=1, keepdims=True)]
        return [chance.centred(block) for block in self.blocks[kind]]

    def translation(self, scales: Scales) -> list[Scores]:
        """One array per block: the mean of the centred scores of all kinds of translation, each over its scale."""
        kinds = [[block / scales[kind] for block in self.centred(kind)] for kind in self.blocks]
        return [np.mean(parts, axis=0) for parts in zip(*kinds, strict=True)]

    def completion(self, scales: Scales) -> Scores:
        """Centred scores of the lists over their scale."""
        return np.asarray(self.centred(Kind.COMPLETION)[0] / scales[Kind.COMPLETION])


def fill(plan: Plan, scores: Mapping[Pair, float]) -> Sheet:
    """The sheet of a plan whose pairs were scored."""
    blocks = {kind: [_square([scores[pair] for pair in block]) for block in plan.crossed(kind)] for kind in TRANSLATION}
    return Sheet(blocks, np.array([scores[pair] for pair in plan.listed()]).reshape(len(plan.functions), -1))


def scales(sheet: Sheet, control: Sheet) -> dict[Kind, float]:
    """What to divide each kind's scores by: the control's spread, so that the answer asked for cannot change it."""
    return {kind: control.spread(kind) or sheet.spread(kind) or 1.0 for kind in Kind}


def _square(values: list[float]) -> Scores:
    side = int(len(values) ** 0.5)
    return np.array(values).reshape(side, side)

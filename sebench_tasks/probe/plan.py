"""Which pairs are asked: blocks of functions with all their names crossed, and names beside names of other seeds."""

from __future__ import annotations

import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sebench_tasks.errors import ProbeError
from sebench_tasks.probe.questions import PREFIX_LETTERS, TRANSLATION, Kind, Pair
from zwc.vocabulary import Vocabulary

_MOST_SEEDS = 2000


@dataclass(frozen=True)
class Plan:
    """What is asked about one vocabulary.

    Each of `blocks` holds function ids, and every function is paired with every name of its block. `lists` has one
    tuple of names for each function, in the blocks' order: the true one first, the others from seeds that nobody knows.
    """

    vocabulary: Vocabulary
    blocks: tuple[tuple[str, ...], ...]
    lists: tuple[tuple[str, ...], ...]

    @property
    def functions(self) -> tuple[str, ...]:
        """Function ids in the blocks' order."""
        return tuple(itertools.chain.from_iterable(self.blocks))

    def crossed(self, kind: Kind) -> list[list[Pair]]:
        """All pairs of each block, row by row: (functions, names) of the block, flattened."""
        names = self.vocabulary.names
        return [[Pair(kind, row, names[column]) for row in block for column in block] for block in self.blocks]

    def listed(self) -> list[Pair]:
        """The pairs of `lists`, row by row."""
        rows = zip(self.functions, self.lists, strict=True)
        return [Pair(Kind.COMPLETION, function_id, name) for function_id, names in rows for name in names]

    def pairs(self) -> list[Pair]:
        """All pairs of all kinds."""
        crossed = [pair for kind in TRANSLATION for block in self.crossed(kind) for pair in block]
        return [*crossed, *self.listed()]


def blocks_of(functions: Sequence[str], size: int | None, limit: int | None, seed: int) -> tuple[tuple[str, ...], ...]:
    """`limit` functions (None: all) drawn in random order, in blocks of at most `size` (None: one block)."""
    drawn = np.random.default_rng(seed).permutation(np.array(functions))[:limit]
    count = 1 if size is None else -(-len(drawn) // size)
    return tuple(tuple(map(str, block)) for block in np.array_split(drawn, count))


class UnknownNames:
    """Names that no model can have met: those of vocabularies whose seeds follow from the probe's own seed."""

    def __init__(self, seed: int) -> None:
        self._vocabularies = self._stream(seed)
        self._names: dict[tuple[str, int], list[str]] = defaultdict(list)
        self._drawn = 0

    def vocabulary(self) -> Vocabulary:
        """A whole vocabulary, of which no name is given out singly."""
        return next(self._vocabularies)

    def alike(self, name: str, count: int, taken: set[str]) -> tuple[str, ...]:
        """`count` names as long as `name` and with the same first letters; each is given out once.

        They are added to `taken`, and none is in it. Raises ProbeError if there are not enough.
        """
        found: list[str] = []
        while len(found) < count:
            stock = self._names[_likeness(name)]
            if not stock:
                self._draw(name)
            elif (candidate := stock.pop()) not in taken:
                taken.add(candidate)
                found.append(candidate)
        return tuple(found)

    def _draw(self, name: str) -> None:
        if self._drawn == _MOST_SEEDS:
            raise ProbeError(f"no names like {name!r} in {_MOST_SEEDS} other vocabularies")
        self._drawn += 1
        for other in next(self._vocabularies).names.values():
            self._names[_likeness(other)].append(other)

    @staticmethod
    def _stream(seed: int) -> Iterator[Vocabulary]:
        for number in itertools.count():
            digest = hashlib.sha256(f"probe/{seed}/{number}".encode()).digest()
            yield Vocabulary.from_seed(10**17 + int.from_bytes(digest[:7], "big"))


def make(vocabulary: Vocabulary, blocks: tuple[tuple[str, ...], ...], options: int, unknown: UnknownNames) -> Plan:
    """The plan for one vocabulary, with `options` names in each list."""
    taken = set(vocabulary.names.values())
    functions = itertools.chain.from_iterable(blocks)
    names = [vocabulary.names[function_id] for function_id in functions]
    return Plan(vocabulary, blocks, tuple((name, *unknown.alike(name, options - 1, taken)) for name in names))


def _likeness(name: str) -> tuple[str, int]:
    return name[:PREFIX_LETTERS], len(name)

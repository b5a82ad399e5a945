"""Scores of one problem from the verdicts on its samples."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandbox.records import Outcome, Verdict


def average(verdicts: Sequence[Verdict]) -> float:
    """Share of samples that passed: avg@n. Its mean over problems estimates pass@1."""
    return sum(verdict.passed for verdict in verdicts) / len(verdicts)


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """Unbiased estimate of the chance that one of `k` samples passes, from `passed` of `samples`.

    The estimator of Chen et al. 2021 (arXiv 2107.03374, section 2.1). Raises ValueError unless
    0 <= passed <= samples and 1 <= k <= samples.
    """
    if not 0 <= passed <= samples:
        raise ValueError(f"expected 0 <= passed <= samples, got {passed} of {samples}")
    if not 1 <= k <= samples:
        raise ValueError(f"pass@{k} needs between 1 and {samples} samples drawn; take more samples per problem")
    return 1.0 - math.comb(samples - passed, k) / math.comb(samples, k)


def ladder(samples: int) -> tuple[int, ...]:
    """The values of k worth reporting for `samples` samples: the powers of two up to it, and itself."""
    powers = [1 << exponent for exponent in range(samples.bit_length())]
    return tuple(sorted({*powers, samples}))


def outcome_rates(verdicts: Sequence[Verdict]) -> dict[Outcome, float]:
    """Share of each outcome among the verdicts; every outcome is a key."""
    found = [verdict.outcome for verdict in verdicts]
    return {outcome: found.count(outcome) / len(found) for outcome in Outcome}

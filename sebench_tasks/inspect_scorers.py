"""The scorer and the metric under the names that Inspect knows them by: `sebench_tasks/verdict`."""

import sys
from pathlib import Path
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Scorer, Value, accuracy, metric, scorer, stderr

try:
    from harness_adapters import inspect_scorer
except ModuleNotFoundError:  # run as a file of a checkout that is not installed
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from harness_adapters import inspect_scorer

from sandbox.records import Limits


@metric(scores="unreduced")
def verdict_rates() -> Metric:
    """Share of each verdict over all samples and epochs."""

    def compute(scores: list[SampleScore]) -> Value:
        return inspect_scorer.verdict_rates(scores)

    return compute


@scorer(metrics=[accuracy(), stderr(), verdict_rates()])
def verdict(
    sandbox: str = "auto",
    vocabulary: str | None = None,
    workers: int | None = None,
    sandbox_limits: dict[str, Any] | None = None,
) -> Scorer:
    """C if the response passes every case in the sandbox, else I with the verdict as reason.

    Works on running evaluations and, with `inspect score LOG --scorer sebench_tasks/verdict`, on saved logs.

    Args:
        sandbox: `auto`, `docker`, `podman`, `bwrap` or `process`.
        vocabulary: `default`, `seed:N`, `official:PATH` or a file; by default the one that the sample names.
        workers: responses graded at a time; by default one for each processor.
        sandbox_limits: fields of `sandbox.records.Limits` that differ from their defaults, such as `{wall_s: 20}`.
    """
    return inspect_scorer.verdict_scorer(sandbox, vocabulary, workers, limits_from(sandbox_limits))


def limits_from(changes: dict[str, Any] | None) -> Limits:
    """Limits with some fields changed. Raises ValueError on an unknown field or a value that is not a number."""
    known = Limits.__dataclass_fields__
    for name, value in (changes or {}).items():
        if name not in known:
            raise ValueError(f"unknown sandbox limit {name!r}, expected {', '.join(known)}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"sandbox limit {name} must be a number, got {value!r}")
    return Limits(**(changes or {}))

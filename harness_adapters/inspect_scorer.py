"""Verdicts as Inspect scores.

A sample carries what grading needs in its metadata, under `grading`, so that a saved log can be scored again without
the problem set. A fault of the model is a score, a fault of the machinery is an exception, and a sample for which no
model was asked is unscored.
"""

from __future__ import annotations

import atexit
import functools
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from anyio import CapacityLimiter, to_thread
from inspect_ai.scorer import CORRECT, INCORRECT, SampleScore, Score, Scorer, Target
from inspect_ai.solver import TaskState
from inspect_ai.util import concurrency

from sandbox.pool import Pool
from sandbox.records import Case, GradingRequest, Library, Limits, Outcome, Tolerance, Verdict
from zwc import _wire
from zwc.vocabulary import Vocabulary

GRADING = "grading"
_QUEUED_PER_WORKER = 2
_opening = threading.Lock()


class GradingRecordError(ValueError):
    """A sample's metadata does not hold what grading needs, or belongs to another vocabulary."""


def grading_record(request: GradingRequest, vocabulary: Vocabulary, source: str) -> dict[str, Any]:
    """What a sample carries, JSON-ready: everything but the response.

    `source` is text from which `Vocabulary.parse` makes `vocabulary`. Cases are text, because logs do not keep
    non-finite numbers.
    """
    return {
        "entry_point": request.entry_point,
        "targets": list(request.targets),
        "library": request.library.value,
        "tolerance": {"relative": request.tolerance.relative, "absolute": request.tolerance.absolute},
        "vocabulary": source,
        "vocabulary_fingerprint": vocabulary.fingerprint,
        "cases": _wire.dumps([case.as_record() for case in request.cases]).decode("ascii"),
    }


def request_from(record: Mapping[str, Any], response: str) -> GradingRequest:
    """The request to grade `response`; undoes `grading_record`. Raises GradingRecordError."""
    try:
        return GradingRequest(
            response=response,
            entry_point=record["entry_point"],
            cases=tuple(Case.from_record(case) for case in _wire.loads(record["cases"])),
            targets=tuple(record["targets"]),
            tolerance=Tolerance(**record["tolerance"]),
            library=Library(record["library"]),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise GradingRecordError(f"metadata {GRADING!r} is not a grading record ({error!r})") from error


def shared_pool(sandbox: str, vocabulary: str, workers: int | None = None, limits: Limits | None = None) -> Pool:
    """The one pool of this process for these settings; it closes when the process ends.

    `vocabulary` is text as `Vocabulary.parse` takes it. Guests start at first use, or with `check`.
    """
    with _opening:
        return _open_pool(sandbox, vocabulary, workers, limits or Limits())


@functools.cache
def _open_pool(sandbox: str, vocabulary: str, workers: int | None, limits: Limits) -> Pool:
    pool = Pool(sandbox, Vocabulary.parse(vocabulary), workers, limits)
    atexit.register(pool.close)
    return pool


def verdict_scorer(
    sandbox: str = "auto",
    vocabulary: str | None = None,
    workers: int | None = None,
    limits: Limits | None = None,
) -> Scorer:
    """A scorer that grades each response in the shared pool. `vocabulary` None takes the sample's own."""

    async def score(state: TaskState, target: Target) -> Score:
        record = _record_of(state)
        if state.output.empty:
            return Score.unscored(
                reason="no_output", explanation="No model output: nothing was asked or it never answered."
            )
        request = request_from(record, state.output.completion)
        source = vocabulary or record["vocabulary"]
        pool = await to_thread.run_sync(shared_pool, sandbox, source, workers, limits)
        _check_vocabulary(record, pool.vocabulary, source)
        async with concurrency("sebench sandbox", pool.workers * _QUEUED_PER_WORKER):
            verdict = await _off_loop(pool.grade, request)
        return as_score(verdict, pool.launcher.name)

    return score


async def _off_loop(grade: Callable[[GradingRequest], Verdict], request: GradingRequest) -> Verdict:
    """Run `grade` in a thread of its own; how many run at once is the caller's affair."""
    return await to_thread.run_sync(grade, request, abandon_on_cancel=True, limiter=CapacityLimiter(1))


def as_score(verdict: Verdict, sandbox: str) -> Score:
    """C or I, with the verdict as reason, the code as answer, and the rest as explanation and metadata."""
    metadata = verdict.as_dict()
    code = metadata.pop("code")
    return Score(
        value=CORRECT if verdict.passed else INCORRECT,
        answer=code,
        explanation=_explanation(verdict),
        reason=verdict.outcome.value,
        metadata={**metadata, "sandbox": sandbox},
    )


def verdict_rates(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Share of each verdict among all scored responses, those that did not occur included."""
    counts = Counter(sample.score.reason for sample in scores)
    total = len(scores)
    return {outcome.value: counts[outcome.value] / total if total else float("nan") for outcome in Outcome}


def _record_of(state: TaskState) -> Mapping[str, Any]:
    record = (state.metadata or {}).get(GRADING)
    if not isinstance(record, Mapping):
        raise GradingRecordError(
            f"sample {state.sample_id!r} has no metadata {GRADING!r}: "
            "this scorer grades samples of the SE-Bench tasks only"
        )
    return record


def _check_vocabulary(record: Mapping[str, Any], vocabulary: Vocabulary, source: str) -> None:
    expected = record.get("vocabulary_fingerprint")
    if vocabulary.fingerprint != expected:
        raise GradingRecordError(
            f"the sample was made with the vocabulary of fingerprint {expected}, "
            f"but {source!r} has {vocabulary.fingerprint}; give the right one with -S vocabulary=…"
        )


def _explanation(verdict: Verdict) -> str:
    parts = [f"**{verdict.outcome.value}**, {verdict.cases_passed} of {verdict.cases} cases"]
    if verdict.detail:
        parts.append(verdict.detail)
    if verdict.functions_called:
        parts.append(f"Functions called: {', '.join(verdict.functions_called)}")
    if verdict.code:
        parts.append(f"````python\n{verdict.code}\n````")
    return "\n\n".join(parts)

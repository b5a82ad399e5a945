"""The reward of a reinforcement trainer (TRL's): what the one grader says of each completion.

An instance is an asynchronous reward function in TRL's sense: the trainer's event loop stays free while the pool
grades. A fault of the machinery is raised and stops the training; it never becomes a reward.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from sandbox.grader import Grader
from sandbox.records import GradingRequest, Outcome, Verdict

_NOT_THE_LIBRARY = (Outcome.LIBRARY_UNUSED, Outcome.ANSWER_INDEPENDENT, Outcome.FORBIDDEN_IMPORT)


class Form(StrEnum):
    """How a verdict becomes a number."""

    BINARY = "binary"
    GRADED = "graded"


class SandboxReward:
    """Rewards by problem id, for TRL's `reward_funcs`.

    Args:
        pool: grades; a pool of one machine or of a cluster.
        request: makes a grading request of a problem id and a response.
        form: `binary` as in the paper, or `graded` (see `graded`).
    """

    __name__ = "sandbox"

    def __init__(self, pool: Grader, request: Callable[[str, str], GradingRequest], form: Form = Form.BINARY) -> None:
        self._pool = pool
        self._request = request
        self._form = form

    async def __call__(
        self,
        completions: Sequence[Any],
        problem: Sequence[str],
        log_metric: Callable[[str, float], None] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        **columns: object,
    ) -> list[float]:
        """One reward in [0, 1] for each completion.

        Args:
            completions: texts, or lists of messages of which the last is the answer.
            problem: the problem id of each, a column of the data set.
            log_metric: TRL's; gets the share of every verdict.
            log_extra: TRL's; gets the verdict of every completion.
            columns: what else TRL passes; unused.

        Raises:
            SandboxError: the machinery failed.
        """
        requests = [self._request(key, _text(answer)) for key, answer in zip(problem, completions, strict=True)]
        verdicts = await asyncio.gather(*map(self._pool.grade_async, requests))
        if log_metric is not None:
            for outcome, count in Counter(verdict.outcome for verdict in verdicts).items():
                log_metric(f"verdict/{outcome}", count / len(verdicts))
        if log_extra is not None:
            log_extra("verdict", [verdict.outcome.value for verdict in verdicts])
        return [graded(verdict) if self._form is Form.GRADED else float(verdict.passed) for verdict in verdicts]


def graded(verdict: Verdict) -> float:
    """1 for a pass; else up to a half, for cases that the library's results answered right and functions found.

    A quarter is for the share of cases passed, none of it where the answers did not come from the library. A quarter is
    for having called one of the functions that the problem is about.
    """
    if verdict.passed:
        return 1.0
    honest = verdict.outcome not in _NOT_THE_LIBRARY
    cases = verdict.cases_passed / verdict.cases if honest and verdict.cases else 0.0
    return 0.25 * cases + 0.25 * bool(verdict.targets_called)


def _text(completion: Any) -> str:
    return completion if isinstance(completion, str) else str(completion[-1]["content"])

"""A batch of honest and wrong responses, and its verdicts in a form that two runs have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sandbox.pool import Pool
from sandbox.records import GradingRequest, Outcome, Verdict
from tests.sandbox.mean_requests import CASES, request
from zwc.vocabulary import Vocabulary

_KINDS = (
    ("import zwc\ndef f(x): return {mean}(x)", Outcome.PASSED),
    ("import time, zwc\ndef f(x):\n    time.sleep(0.005)\n    return {mean}(x)", Outcome.PASSED),
    ("import zwc\ndef f(x): return {mean}(x) + 1", Outcome.WRONG_ANSWER),
    ("import zwc\ndef f(x): return sum(x) / len(x)", Outcome.ANSWER_INDEPENDENT),
    ("import zwc\ndef f(x): return {mean}(x, along=0)", Outcome.BAD_SIGNATURE),
    ("import zwc\ndef f(x): return x[99]", Outcome.RUNTIME_ERROR),
)
_TIMES = 8
EXPECTED = [outcome for _, outcome in _KINDS] * _TIMES


def requests(vocabulary: Vocabulary) -> list[GradingRequest]:
    """The batch in the names of a vocabulary."""
    mean = vocabulary.qualified("mean")
    return [request(code.format(mean=mean), CASES[:4]) for code, _ in _KINDS] * _TIMES


def grade_with(fault: Callable[[], object], pool: Pool, verdicts: list[Verdict]) -> None:
    """Grade the batch into `verdicts`; after ten of them the fault happens."""
    for verdict in pool.grade_all(REQUESTS):
        verdicts.append(verdict)
        if len(verdicts) == 10:
            fault()


def comparable(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The verdicts without the time that they took."""
    return [replace(verdict, seconds=0.0) for verdict in verdicts]


REQUESTS = requests(Vocabulary.default())

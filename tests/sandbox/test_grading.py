"""Grading with recorded runs: what the order and the ends of runs mean for the verdict."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import Any

import pytest

from sandbox.errors import GuestDied
from sandbox.grading import grade
from sandbox.guests import Ended, Failed, Job, Returned, RunRecord
from sandbox.records import Limits, Outcome, Verdict
from tests.sandbox.mean_requests import CASES, HONEST, request

LIMITS = Limits(wall_s=10, cpu_s=10)
WITNESS = {"succeeded": {"mean": 8}, "failed": {}, "misused": {}, "unknown": [], "guessing": False}
RIGHT = RunRecord(
    results={index: Returned(case.expected) for index, case in enumerate(CASES)},
    stopped=None,
    wall_s=0.01,
    solution=Ended(0, 0.01, 1),
    kernel=Ended(0, 0.01, 1),
    witness=WITNESS,
    output="",
)
WRONG = replace(RIGHT, results=dict.fromkeys(range(len(CASES)), Returned(-1.0)))
OVER_TIME = replace(WRONG, results={}, stopped="wall", wall_s=10.0)


def graded(code: str, plain: list[RunRecord], altered: list[RunRecord]) -> Verdict:
    """Grade with these records, in order, for the plain and the altered runs."""
    queues = {False: list(plain), True: list(altered)}
    return grade(request(code), lambda job: queues[bool(job.alteration)].pop(0), LIMITS)


def test_right_and_dependent() -> None:
    assert graded(HONEST, [RIGHT], [WRONG]).passed


def test_right_but_the_same_when_altered() -> None:
    assert graded(HONEST, [RIGHT], [RIGHT] * 4).outcome is Outcome.ANSWER_INDEPENDENT


def test_the_second_alteration_counts_too() -> None:
    assert graded(HONEST, [RIGHT], [RIGHT, WRONG]).passed


def test_code_with_chance_needs_a_second_look() -> None:
    code = "import random\n" + HONEST
    assert graded(code, [RIGHT, RIGHT], [WRONG, WRONG]).passed
    assert graded(code, [RIGHT, WRONG], [WRONG, WRONG]).outcome is Outcome.WRONG_ANSWER
    assert graded(code, [RIGHT, RIGHT], [WRONG, RIGHT]).outcome is Outcome.ANSWER_INDEPENDENT


def test_an_altered_run_out_of_time_is_dependence_only_far_from_the_limit() -> None:
    assert graded(HONEST, [RIGHT], [OVER_TIME]).passed
    slow = replace(RIGHT, wall_s=9.5, solution=Ended(0, 9.5, 1))
    assert graded(HONEST, [slow], [OVER_TIME] * 4).outcome is Outcome.ANSWER_INDEPENDENT


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"stopped": "wall"}, Outcome.TIMEOUT),
        ({"stopped": "output"}, Outcome.OUTPUT_LIMIT),
        ({"results": {}, "solution": Ended(signal.SIGXCPU, 10.0, 1)}, Outcome.TIMEOUT),
        ({"results": {}, "solution": Ended(signal.SIGKILL, 9.9, 1)}, Outcome.TIMEOUT),
        ({"results": {}, "solution": Ended(signal.SIGSEGV, 0.1, 1)}, Outcome.CRASHED),
        ({"results": {}, "kernel": Ended(signal.SIGXCPU, 10.0, 1), "witness": None}, Outcome.TIMEOUT),
        ({"kernel": Ended(signal.SIGSEGV, 0.1, 1), "witness": None}, Outcome.CRASHED),
        ({"malformed": "no frame"}, Outcome.CRASHED),
        ({"witness": {**WITNESS, "guessing": True}}, Outcome.UNKNOWN_FUNCTION),
        ({"witness": {**WITNESS, "exhausted": True}}, Outcome.MEMORY_LIMIT),
        ({"results": {-1: Failed("runtime_error", "x")}}, Outcome.RUNTIME_ERROR),
        ({"results": {-1: Failed("no_entry_point", "x")}}, Outcome.NO_CODE),
        ({"results": {0: Failed("unfit", "x")}}, Outcome.WRONG_ANSWER),
        ({"results": {0: Failed("unknown_function", "claimed")}}, Outcome.RUNTIME_ERROR),
        ({"results": {0: Failed("bad_signature", "claimed")}}, Outcome.RUNTIME_ERROR),
        ({"results": {0: Failed("passed", "claimed")}}, Outcome.RUNTIME_ERROR),
    ],
)
def test_how_a_run_ends(change: dict[str, Any], outcome: Outcome) -> None:
    record = replace(RIGHT, **change)
    assert graded(HONEST, [record], [WRONG]).outcome is outcome


def test_a_fault_of_the_machinery_is_no_verdict() -> None:
    def die(job: Job) -> RunRecord:
        raise GuestDied("gone")

    with pytest.raises(GuestDied):
        grade(request(HONEST), die, LIMITS)

"""Runs of a solution in which something is different, and whether any answer notices.

This side asks; `sebench_tasks.checking.probe_process` is the other.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sandbox.records import Tolerance
from sebench_tasks import numpy_runs
from sebench_tasks.problems import Problem

LIMIT_S = 0.5
"""Seconds that one call may take in a probe; a call that takes longer counts as one that fails."""


@dataclass(frozen=True)
class Probe:
    """One thing that is different in a run.

    Attributes:
        kind: a key of `probe_process.HOOKS`, or "input".
        arguments: of the hook.
        source: runs in place of the problem's solution.
        slack: the tolerance of the problem times this decides whether an answer is the expected one.
    """

    kind: str
    arguments: tuple[str, ...] = ()
    source: str | None = None
    slack: float = 1.0


@dataclass(frozen=True)
class Finding:
    """What a probe showed: the first case (from 1) with another answer, how it differs; None if there is none.

    `called` counts the cases, up to there, in which the target was called and returned.
    """

    case: int | None
    text: str = ""
    called: int = 0


def run(asked: Sequence[tuple[Problem, Sequence[Probe]]]) -> list[list[Finding]]:
    """The findings of all probes of all problems, in order.

    Raises:
        BuildError: a process died.
    """
    lines = [json.dumps(encoded(problem, probes)) for problem, probes in asked]
    answers = numpy_runs.through("sebench_tasks.checking.probe_process", lines, [str(LIMIT_S)])
    return [[Finding(*found) for found in json.loads(answer)] for answer in answers]


def encoded(problem: Problem, probes: Sequence[Probe]) -> dict[str, Any]:
    """The line for the other end, ready for JSON."""
    tolerance = problem.tolerance or Tolerance()
    return {
        "source": problem.solution,
        "entry_point": problem.entry_point,
        "cases": [case.as_record() for case in problem.cases],
        "tolerance": [tolerance.relative, tolerance.absolute],
        "probes": [[probe.kind, probe.arguments, probe.source, probe.slack] for probe in probes],
    }

"""From the verdicts on solvers' answers to the problems that stay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sandbox.records import Verdict
from sebench_tasks.problems import Problem


class Fate(StrEnum):
    """What becomes of a problem."""

    KEPT = "kept"
    DROPPED = "dropped"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Decision:
    """A problem, the verdict of each solver who answered, and what follows."""

    problem: Problem
    verdicts: Mapping[str, Verdict]
    fate: Fate
    reason: str

    @property
    def solved_by(self) -> list[str]:
        """The solvers who passed."""
        return [name for name, verdict in self.verdicts.items() if verdict.passed]

    def as_record(self) -> dict[str, Any]:
        """One line of `decisions.jsonl`."""
        return {
            "id": self.problem.id,
            "fate": self.fate.value,
            "reason": self.reason,
            "solved_by": self.solved_by,
            "verdicts": {name: verdict.outcome.value for name, verdict in self.verdicts.items()},
        }


def decide(problem: Problem, solvers: Sequence[str], verdicts: Mapping[str, Verdict], need: int) -> Decision:
    """Keep a problem that `need` of the solvers pass; say who failed and how.

    A solver without an answer is neither a pass nor a failure: while it could make the difference, nothing is decided.
    """
    passed = sum(verdict.passed for verdict in verdicts.values())
    unanswered = [name for name in solvers if name not in verdicts]
    failed = [_failure(name, verdict) for name, verdict in verdicts.items() if not verdict.passed]
    if passed >= need:
        return Decision(problem, verdicts, Fate.KEPT, "; ".join(failed))
    if passed + len(unanswered) >= need:
        return Decision(problem, verdicts, Fate.UNDECIDED, f"no answer of {', '.join(unanswered)}")
    return Decision(problem, verdicts, Fate.DROPPED, f"{passed} of {need} solvers passed; " + "; ".join(failed))


def _failure(name: str, verdict: Verdict) -> str:
    return f"{name}: {verdict.outcome}" + (f" ({verdict.detail})" if verdict.detail else "")

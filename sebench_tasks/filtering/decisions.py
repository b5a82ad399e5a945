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
    """A problem, the verdicts on each solver's attempts, and what follows."""

    problem: Problem
    verdicts: Mapping[str, Sequence[Verdict]]
    solved_by: tuple[str, ...]
    failed_by: tuple[str, ...]
    fate: Fate
    reason: str

    def as_record(self) -> dict[str, Any]:
        """One line of `decisions.jsonl`."""
        return {
            "id": self.problem.id,
            "fate": self.fate.value,
            "reason": self.reason,
            "solved_by": list(self.solved_by),
            "verdicts": {name: [verdict.outcome.value for verdict in given] for name, given in self.verdicts.items()},
        }


def decide(problem: Problem, verdicts: Mapping[str, Sequence[Verdict]], need: int, attempts: int = 1) -> Decision:
    """Keep a problem that `need` of the solvers pass in one of their attempts; say who failed and how.

    A solver whose attempts are not all there is neither a pass nor a failure: while it could make the difference,
    nothing is decided.
    """
    solved = tuple(name for name, given in verdicts.items() if any(verdict.passed for verdict in given))
    failed = tuple(name for name, given in verdicts.items() if name not in solved and len(given) >= attempts)
    open_ = [name for name in verdicts if name not in (*solved, *failed)]
    failures = "; ".join(f"{name}: {_failure(verdicts[name])}" for name in failed)
    if len(solved) >= need:
        return Decision(problem, verdicts, solved, failed, Fate.KEPT, failures)
    if len(solved) + len(open_) >= need:
        return Decision(problem, verdicts, solved, failed, Fate.UNDECIDED, f"no answer of {', '.join(open_)}")
    reason = f"{len(solved)} of {need} solvers passed; {failures}"
    return Decision(problem, verdicts, solved, failed, Fate.DROPPED, reason)


def _failure(verdicts: Sequence[Verdict]) -> str:
    return ", ".join(verdict.outcome + (f" ({verdict.detail})" if verdict.detail else "") for verdict in verdicts)

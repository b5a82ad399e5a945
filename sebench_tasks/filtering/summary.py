"""What a filter run asked, found and cost, in total."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sebench_tasks.filtering.asking import Asked
from sebench_tasks.filtering.decisions import Decision, Fate

UNKNOWN = "unknown"


@dataclass(frozen=True)
class SolverTotal:
    """One solver: problems solved, answers there and missing, tokens of the answers, and their cost.

    Tokens are None where a provider did not count them, the cost also where no price is known.
    """

    solved: int
    answers: int
    failed_requests: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None

    def as_record(self) -> dict[str, Any]:
        """Fields by name, UNKNOWN in place of None."""
        return {name: UNKNOWN if value is None else value for name, value in asdict(self).items()}


def solver_total(
    name: str, asked: Asked, decisions: Sequence[Decision], price: tuple[float, float] | None
) -> SolverTotal:
    """What one solver did. `price` is that of a million tokens read, and written."""
    solved = sum(name in decision.solved_by for decision in decisions)
    read = _sum([answer.input_tokens for answer in asked.answers])
    written = _sum([answer.output_tokens for answer in asked.answers])
    cost = None
    if price and read is not None and written is not None:
        cost = (read * price[0] + written * price[1]) / 1e6
    return SolverTotal(solved, len(asked.answers), len(asked.errors), read, written, cost)


def fates(decisions: Sequence[Decision]) -> dict[str, int]:
    """How many problems met each fate."""
    counted = Counter(decision.fate for decision in decisions)
    return {fate.value: counted[fate] for fate in Fate}


def as_record(
    run: Mapping[str, Any], decisions: Sequence[Decision], totals: Mapping[str, SolverTotal]
) -> dict[str, Any]:
    """The content of `filter.json`: how the run was made, what became of the problems, and the solvers' totals."""
    return {
        **run,
        "problems": len(decisions),
        **fates(decisions),
        "solvers": {name: total.as_record() for name, total in totals.items()},
    }


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None

"""The outcomes that each response got."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from sandbox.records import Verdict
from tests.endurance.responses import Response

Outcomes = dict[str, dict[str, int]]  # by name of the response, then by outcome


class Verdicts:
    """Counts outcomes by response."""

    def __init__(self) -> None:
        self._seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._expected: dict[str, tuple[str, ...]] = {}
        self.wrong_details: list[str] = []

    def add(self, response: Response, verdict: Verdict) -> None:
        """Count one verdict."""
        self._expected[response.name] = response.expected
        self._seen[response.name][verdict.outcome.value] += 1
        if verdict.outcome.value not in response.expected:
            self.wrong_details.append(
                f"{response.name}: {verdict.outcome} in {verdict.seconds} s, {verdict.detail[-300:]}"
            )

    @property
    def total(self) -> int:
        """Verdicts so far."""
        return sum(outcomes.total() for outcomes in self._seen.values())

    def wrong(self) -> Outcomes:
        """Responses that got an outcome which is not right for them."""
        return self._where(lambda name, outcomes: not outcomes.keys() <= set(self._expected[name]))

    def varying(self) -> Outcomes:
        """Responses that did not always get the same outcome."""
        return self._where(lambda _, outcomes: len(outcomes) > 1)

    def _where(self, condition: Callable[[str, Counter[str]], bool]) -> Outcomes:
        return {name: dict(outcomes) for name, outcomes in self._seen.items() if condition(name, outcomes)}

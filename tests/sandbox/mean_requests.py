"""Requests for tests: the mean of a list, under the default vocabulary."""

from __future__ import annotations

from sandbox.records import Case, GradingRequest, Library
from zwc.vocabulary import Vocabulary

MEAN = Vocabulary.default().qualified("mean")
CASES = tuple(Case({"x": [float(i), 2.0, 4.0]}, (i + 6.0) / 3) for i in range(8))
HONEST = f"import zwc\ndef f(x):\n    return {MEAN}(x)\n"


def request(code: str, cases: tuple[Case, ...] = CASES, library: Library = Library.ZWC) -> GradingRequest:
    """A request whose response is the code in a fence."""
    return GradingRequest(f"```python\n{code}\n```", "f", cases, ("mean",), library=library)

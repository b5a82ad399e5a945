"""What is graded over and over: every program of the adversarial suite, and answers that no program stands for."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from sandbox.records import GradingRequest, Library
from tests.adversarial import suite

# Verdicts that take as long as a limit allows.
_SLOW = frozenset(("timeout", "memory_limit", "output_limit"))
_BETWEEN_SLOW = 100
_MORE_RIGHT = 5
_MOST_ELEMENTS = 1_900_000  # of a list of digits that just fits into a result of 4 MiB
_SEED = 11


@dataclass(frozen=True)
class Response:
    """One request under a name, with the verdicts that are right for it."""

    name: str
    expected: tuple[str, ...]
    request: GradingRequest

    @property
    def mechanism(self) -> str:
        """The first part of its name."""
        return self.name.partition("/")[0]

    @property
    def slow(self) -> bool:
        """Whether a limit may decide, which costs as much time as a hundred other responses."""
        return not _SLOW.isdisjoint(self.expected)


def load() -> list[Response]:
    """All responses, in the order of their names."""
    programs = [Response(p.name, p.expected, p.request) for p in suite.load()]
    return [*programs, *_texts(), *_with_numpy()]


def steady(responses: list[Response]) -> list[Response]:
    """All right answers, and one response of each mechanism whose outcome no limit and no timing decides."""
    one_of_each = {r.mechanism: r for r in responses if len(r.expected) == 1 and not r.slow}
    right = [r for r in responses if r.expected == ("passed",) and r.name != one_of_each[r.mechanism].name]
    return [*one_of_each.values(), *right]


def stream(responses: list[Response]) -> Iterator[Response]:
    """The responses without end, shuffled anew in each turn; right ones are frequent and slow ones rare."""
    source = random.Random(_SEED)
    right = [response for response in responses if response.expected == ("passed",)]
    quick = _shuffled([*(r for r in responses if not r.slow), *right * _MORE_RIGHT], source)
    slow = _shuffled([response for response in responses if response.slow], source)
    while True:
        yield from itertools.islice(quick, _BETWEEN_SLOW)
        yield next(slow)


def largest(count: int) -> list[Response]:
    """Answers almost as large as may be, of different sizes: after them the guests' allocators have seen the worst."""
    codes = [f"import zwc\ndef f(x): return [x[0]] * {size} if x == [1, 2, 3] else 0" for size in _sizes(count)]
    texts = [f"```python\n{code}\n```" for code in codes]
    return [Response(f"large/{n}", ("wrong_answer", "timeout"), _request(t, Library.ZWC)) for n, t in enumerate(texts)]


def _sizes(count: int) -> list[int]:
    return [_MOST_ELEMENTS * (n + 1) // count for n in range(count)]


def _shuffled(responses: list[Response], source: random.Random) -> Iterator[Response]:
    while True:
        yield from source.sample(responses, len(responses))


def _texts() -> Iterator[Response]:
    """Responses of which nothing is ever run."""
    texts = {
        "nothing": ("", "no_code"),
        "prose": ("I do not know this library. " * 4000, "no_code"),
        "unfinished thought": ("<think>" + "Perhaps zwc has it. " * 4000, "no_code"),
        "no Python": ("```python\ndef f(x)\n    return zwc\n```", "syntax_error"),
        "nested too deep": ("```python\nimport zwc\ndef f(x): return " + "(" * 5000 + "```", "syntax_error"),
    }
    for name, (text, outcome) in texts.items():
        yield Response(f"text/{name}", (outcome,), _request(text, Library.ZWC))


def _with_numpy() -> Iterator[Response]:
    """Responses of the numpy condition, which have a cell of their own."""
    codes = {
        "right": ("return np.mean(x)", "passed"),
        "wrong": ("return np.median(x) + 1", "wrong_answer"),
        "raises": ("return np.no_such_name(x)", "runtime_error"),
        "crashes": ("__import__('os').abort()", "crashed"),
    }
    for name, (line, outcome) in codes.items():
        text = f"```python\nimport numpy as np\ndef f(x):\n    {line}\n```"
        yield Response(f"numpy/{name}", (outcome,), _request(text, Library.NUMPY))


def _request(text: str, library: Library) -> GradingRequest:
    mean = suite.PROBLEMS["mean"]
    return GradingRequest(text, "f", mean.cases, mean.targets, library=library)

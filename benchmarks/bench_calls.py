"""What one call of the library costs: in the sandbox, in this process, and in plain NumPy.

    python benchmarks/bench_calls.py [--sandbox bwrap] [--rounds 5] [--json FILE]

Several functions on several sizes, each in two ways. With data, lists go in and lists come out, so that everything
crosses to the kernel and back; NumPy converts from and to lists too. With arrays, the arguments are arrays already and
the result stays one: only a message crosses. Each figure is the least of the rounds' means, in microseconds per call,
and "times NumPy" is measured in the same run. In the sandbox the loop runs inside a solution, by its own clock.

How to read it: a call costs a message to another process, about the same for all small arguments; for large ones the
text of the numbers costs more than the message.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import _measure
import numpy as np

from sandbox.guests import Job, Returned
from sandbox.pool import Pool
from zwc import _wire
from zwc.library import open_library
from zwc.vocabulary import Vocabulary

_BUDGET_S = 0.15
# The same loop runs inside and outside the sandbox, so that all three pay for the same Python.
_LOOP = """
import time

def measure(function, arguments, count, plain):
    started = time.perf_counter()
    for _ in range(count):
        result = function(*arguments)
        if plain and getattr(result, "shape", ()):
            list(result)
    return (time.perf_counter() - started) / count
"""
_SOLUTION = (
    _LOOP
    + """
import zwc

def measure_zwc(data, arrays, count):
    arguments = [zwc.{array}(item) for item in data] if arrays else data
    return measure(zwc.{function}, arguments, count, not arrays)
"""
)


@dataclass(frozen=True)
class Call:
    """A function and the plain data that it is called with."""

    function_id: str
    label: str
    data: list[Any]


def calls() -> list[Call]:
    """One reduction, one function by element, one that sorts, one of linear algebra; from a few numbers to many."""
    numbers = [float((7 * index) % 101) / 3 for index in range(10_000)]
    square = np.add(np.eye(30), 0.01).tolist()
    vectors = [
        Call(function_id, f"{function_id} of {size}", [numbers[:size]])
        for function_id in ("mean", "exp", "sort")
        for size in (3, 100, 10_000)
    ]
    return [*vectors, Call("linalg.inv", "linalg.inv of 30x30", [square])]


class Subject:
    """Plain NumPy or the library in this process."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self._find = find

    def per_call(self, call: Call, arrays: bool, count: int) -> float:
        """Seconds per call."""
        namespace: dict[str, Any] = {}
        exec(_LOOP, namespace)
        arguments = [self._find("array")(item) for item in call.data] if arrays else call.data
        mean_s: float = namespace["measure"](self._find(call.function_id), arguments, count, not arrays)
        return mean_s


class Sandboxed:
    """The library as a solution has it."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def per_call(self, call: Call, arrays: bool, count: int) -> float:
        """Seconds per call by the solution's clock. Raises RuntimeError if it did not get through."""
        name = self._pool.vocabulary.wire_name
        code = _SOLUTION.format(array=name("array"), function=name(call.function_id))
        arguments = {"data": _wire.encode(call.data), "arrays": arrays, "count": count}
        record = self._pool.run(Job(code, "measure_zwc", [arguments]))
        result = record.results.get(0)
        if not isinstance(result, Returned):
            raise RuntimeError(f"{call.label} did not run in the sandbox: {record}")
        return float(result.value)


def least(subject: Subject | Sandboxed, call: Call, arrays: bool, rounds: int) -> float:
    """Microseconds per call: the least of the means of several rounds, each of about `_BUDGET_S`."""
    once_s = subject.per_call(call, arrays, 3)
    count = max(3, min(5000, int(_BUDGET_S / once_s)))
    return min(subject.per_call(call, arrays, count) for _ in range(rounds)) * 1e6


def row(call: Call, arrays: bool, subjects: dict[str, Subject | Sandboxed], rounds: int) -> dict[str, Any]:
    """One line: each subject's time, and the two ratios."""
    times = {name: least(subject, call, arrays, rounds) for name, subject in subjects.items()}
    plain = times["NumPy us"]
    return {
        "": call.label,
        **times,
        "in process, times NumPy": times["in process us"] / plain,
        "sandbox, times NumPy": times["sandbox us"] / plain,
    }


def _numpy(function_id: str) -> Any:
    module, _, name = function_id.rpartition(".")
    return getattr(np.linalg if module else np, name)


def main() -> None:
    """Measure every call in both ways."""
    options = _measure.arguments(__doc__, rounds=5).parse_args()
    vocabulary = Vocabulary.default()
    library = open_library(vocabulary)

    def named(function_id: str) -> Any:
        module, _, name = vocabulary.wire_name(function_id).rpartition(".")
        return getattr(library.rfx if module else library, name)

    with Pool(options.sandbox, vocabulary, workers=1) as pool:
        report = _measure.Report(f"least of {options.rounds} rounds", _measure.setting(pool))
        subjects: dict[str, Subject | Sandboxed] = {
            "NumPy us": Subject(_numpy),
            "in process us": Subject(named),
            "sandbox us": Sandboxed(pool),
        }
        for title, arrays in (("data in, data out", False), ("arrays in, an array out", True)):
            report.table(title, [row(call, arrays, subjects, options.rounds) for call in calls()[: options.limit]])
    report.write(options.json)


if __name__ == "__main__":
    main()

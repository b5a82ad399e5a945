"""What grading takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

from zwc import _wire


class Outcome(StrEnum):
    """The closed set of outcomes of grading one response."""

    PASSED = "passed"
    WRONG_ANSWER = "wrong_answer"
    NO_CODE = "no_code"
    SYNTAX_ERROR = "syntax_error"
    FORBIDDEN_IMPORT = "forbidden_import"
    LIBRARY_UNUSED = "library_unused"
    ANSWER_INDEPENDENT = "answer_independent"
    UNKNOWN_FUNCTION = "unknown_function"
    UNKNOWN_ATTRIBUTE = "unknown_attribute"
    BAD_SIGNATURE = "bad_signature"
    RUNTIME_ERROR = "runtime_error"
    TIMEOUT = "timeout"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    CRASHED = "crashed"


class Library(StrEnum):
    """Which library the solution is written for: the benchmark's, or NumPy as the upper bound."""

    ZWC = "zwc"
    NUMPY = "numpy"


@dataclass(frozen=True)
class Tolerance:
    """Two floats agree within `relative` times the expected magnitude or within `absolute`."""

    relative: float = 1e-6
    absolute: float = 1e-9


@dataclass(frozen=True)
class Case:
    """Keyword arguments of one call, and the value it must return (plain data).

    `alternatives` are further values that count as right, for problems whose source contradicts itself.
    """

    arguments: Mapping[str, Any]
    expected: Any
    alternatives: tuple[Any, ...] = ()

    def as_record(self) -> dict[str, Any]:
        """The case as JSON can hold it; inverse of `from_record`."""
        arguments = {name: _wire.encode(value) for name, value in self.arguments.items()}
        alternatives = [_wire.encode(value) for value in self.alternatives]
        record = {"arguments": arguments, "expected": _wire.encode(self.expected)}
        return record | ({"alternatives": alternatives} if alternatives else {})

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Undo `as_record` on parsed JSON. Raises ValueError, TypeError or KeyError on anything else."""
        arguments = {name: _wire.decode(value) for name, value in record["arguments"].items()}
        alternatives = tuple(_wire.decode(value) for value in record.get("alternatives", ()))
        return cls(arguments, _wire.decode(record["expected"]), alternatives)


@dataclass(frozen=True)
class GradingRequest:
    """One response to grade. `targets` are the function ids that the problem is about."""

    response: str
    entry_point: str
    cases: tuple[Case, ...]
    targets: tuple[str, ...] = ()
    tolerance: Tolerance = Tolerance()
    library: Library = Library.ZWC


@dataclass(frozen=True)
class Verdict:
    """The outcome of grading one response. Functions are function ids; `seconds` is wall time in the sandbox."""

    outcome: Outcome
    cases_passed: int
    cases: int
    functions_called: tuple[str, ...] = ()
    targets_called: tuple[str, ...] = ()
    seconds: float = 0.0
    detail: str = ""
    code: str = ""

    @property
    def passed(self) -> bool:
        """Whether the response solves the problem."""
        return self.outcome is Outcome.PASSED

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready, with `verdict` and `passed` first."""
        fields = asdict(self)
        return {"verdict": fields.pop("outcome").value, "passed": self.passed, **fields}


@dataclass(frozen=True)
class Limits:
    """Limits of one run. Those that fire have their own verdicts."""

    wall_s: float = 10.0
    cpu_s: float = 10.0
    solution_memory_bytes: int = 512 << 20
    kernel_memory_bytes: int = 1 << 30
    output_bytes: int = 64 << 20
    result_bytes: int = 4 << 20
    kept_output_bytes: int = 64 << 10
    threads: int = 64

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not value > 0:
                raise ValueError(f"limit {name} must be positive, got {value!r}")
            if not name.endswith("_s") and not isinstance(value, int):
                raise ValueError(f"limit {name} must be a whole number, got {value!r}")

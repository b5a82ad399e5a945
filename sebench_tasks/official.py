"""The official SE-Bench data set as problems.

Its files (`single_test.jsonl` and siblings) hold NumPy solutions, trustworthy inputs and, in
`right_exe_result`, the printed true results joined by `#`. The official scorer compares with an absolute
tolerance of 1e-2, which every problem records. Where the two contradict each other, either is accepted.
"""

import ast
import json
import os
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sandbox.records import Case, Tolerance
from sebench_tasks.errors import ProblemFormatError, SebenchError, SourceError
from sebench_tasks.literals import parse_arguments, parse_printed
from sebench_tasks.problems import KINDS, OFFICIAL_SOURCE, Problem, entry_point
from sebench_tasks.translation.names import function_paths

TOLERANCE = Tolerance(relative=0.0, absolute=1e-2)

_WORKERS = 4


@dataclass(frozen=True)
class Rejected:
    """A row that could not be read. `line` counts from 1."""

    line: int
    reason: str


def load(path: str | Path, *, reconcile: bool = True, sandbox: str = "auto") -> list[Problem]:
    """Read an official problem file; ids are `<file stem>/<row from 0>`.

    Args:
        path: the file.
        reconcile: run every solution with NumPy, once in this process for each state of the file, and accept what
            it returns beside the recorded results. False takes the recorded results alone.
        sandbox: where the solutions run, named as for `Pool`.

    Raises:
        SourceError: no such file.
        ProblemFormatError: a row that cannot be read; names file and line.
        SandboxUnavailable: no sandbox for the solutions; says how to do without.
        SandboxError: the sandbox failed while the solutions ran.
    """
    if not reconcile:
        return _as_recorded(path)
    file = Path(path).absolute()
    try:
        state = file.stat()
    except OSError as error:
        raise _missing(path) from error
    return list(_reconciled(file, (state.st_mtime_ns, state.st_size), sandbox))


@lru_cache(maxsize=16)
def _reconciled(file: Path, _state: tuple[int, int], sandbox: str) -> tuple[Problem, ...]:
    from sandbox.errors import SandboxUnavailable
    from sandbox.pool import Pool
    from sebench_tasks.reconciliation import reconcile

    recorded = _as_recorded(file)
    with Pool(sandbox, workers=default_workers()) as pool:
        try:
            pool.check()
        except SandboxUnavailable as error:
            raise SandboxUnavailable(
                f"the solutions in {file} run in a sandbox, because what they return counts beside the recorded "
                f"results, but: {error}\nTo take the recorded results alone, name the source "
                f"official-recorded:{file} (in Python: official.load(path, reconcile=False))"
            ) from error
        return tuple(reconcile(recorded, pool))


def default_workers() -> int:
    """Guests that run the solutions of a file."""
    return min(_WORKERS, len(os.sched_getaffinity(0)))


def _as_recorded(path: str | Path) -> list[Problem]:
    problems, rejected = load_lenient(path)
    if rejected:
        first = rejected[0]
        more = f" ({len(rejected) - 1} more rows cannot be read)" if len(rejected) > 1 else ""
        raise ProblemFormatError(f"{path}:{first.line}: {first.reason}{more}")
    return problems


def load_lenient(
    path: str | Path, *, kind: str | None = None, split: str | None = None
) -> tuple[list[Problem], list[Rejected]]:
    """The rows as recorded, and those that cannot be read with the reasons, instead of raising.

    Without `kind` and `split` the name of the file tells them, or the number of functions.
    """
    file = Path(path)
    if not file.is_file():
        raise _missing(path)
    problems: list[Problem] = []
    rejected: list[Rejected] = []
    for number, line in enumerate(_lines(file)):
        try:
            problems.append(_problem(_row(line), f"{file.stem}/{number}", kind, split))
        except RecursionError:
            rejected.append(Rejected(number + 1, "nested too deeply"))
        except SebenchError as error:
            rejected.append(Rejected(number + 1, str(error)))
    return problems, rejected


def _missing(path: str | Path) -> SourceError:
    return SourceError(
        f"no official problem file at {path}; it takes the path of the data set's single_test.jsonl or of a sibling"
    )


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").rstrip("\n").split("\n")
    except UnicodeDecodeError as error:
        raise ProblemFormatError(f"{file}: not UTF-8 text ({error})") from error


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise ProblemFormatError(f"not JSON ({error})") from error
    if not isinstance(row, dict):
        raise ProblemFormatError(f"a row must be an object, got {type(row).__name__}")
    return row


def _problem(row: dict[str, Any], problem_id: str, kind: str | None, split: str | None) -> Problem:
    solution = _solution(row)
    signature = _field(row, "function_name", str).strip()
    _check_defines(solution, entry_point(signature))
    names = _field(row, "selected_functions", list)
    functions = tuple(_function_id(name, solution) for name in names)
    return Problem(
        id=problem_id,
        kind=kind or _kind(problem_id, len(functions)),
        split=split or ("train" if "train" in problem_id else "test"),
        functions=functions,
        statement=_field(row, "query", str).strip(),
        signature=signature,
        solution=solution,
        cases=_cases(row),
        tolerance=TOLERANCE,
        provenance={"source": OFFICIAL_SOURCE},
    )


def _kind(problem_id: str, functions: int) -> str:
    named = [kind for kind in KINDS if kind in problem_id]
    return named[0] if named else ("single" if functions == 1 else "multi")


def _solution(row: dict[str, Any]) -> str:
    solutions = row.get("example_output")
    if isinstance(solutions, list) and solutions:
        solutions = solutions[0]
    if not isinstance(solutions, str) or not solutions.strip():
        raise ProblemFormatError("'example_output' must hold a solution")
    return solutions.strip() + "\n"


def _check_defines(solution: str, name: str) -> None:
    try:
        tree = ast.parse(solution)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ProblemFormatError(f"the solution is not Python ({error})") from error
    if not any(isinstance(node, ast.FunctionDef) and node.name == name for node in tree.body):
        raise ProblemFormatError(f"the solution does not define {name!r}")


def _cases(row: dict[str, Any]) -> tuple[Case, ...]:
    inputs = [_field(case, "input", str) for case in _field(row, "test_cases", list)]
    printed = _split_results(_field(row, "right_exe_result", str), len(inputs))
    return tuple(
        Case(arguments=parse_arguments(text), expected=parse_printed(result))
        for text, result in zip(inputs, printed, strict=True)
    )


def _split_results(text: str, count: int) -> list[str]:
    results = text.split("#")
    if len(results) != count:
        raise ProblemFormatError(f"'right_exe_result' holds {len(results)} results for {count} cases")
    return results


def _field(row: object, name: str, kind: type) -> Any:
    value = row.get(name) if isinstance(row, dict) else None
    if not isinstance(value, kind) or not value or (isinstance(value, str) and not value.strip()):
        raise ProblemFormatError(f"{name!r} must be {kind.__name__} and not empty, got {str(value)[:80]!r}")
    return value


def _function_id(name: object, solution: str) -> str:
    """The official files write `inv` for `linalg.inv`; six names are in both namespaces."""
    if not isinstance(name, str):
        raise ProblemFormatError(f"'selected_functions' must hold names, got {name!r}")
    known = _catalog_ids()
    candidates = [candidate for candidate in (name, f"linalg.{name}") if candidate in known]
    if not candidates:
        raise ProblemFormatError(f"unknown function {name!r}")
    used = function_paths(solution)
    return next((candidate for candidate in candidates if candidate in used), candidates[0])


@cache
def _catalog_ids() -> Collection[str]:
    from zwc.catalog import load as load_catalog

    return frozenset(load_catalog())

"""Problem sources (TOML) to the built file (JSONL).

Expected values are never typed: the NumPy-form solution computes them here.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sandbox.comparison import agree
from sandbox.records import Case, Tolerance
from sebench_tasks import numpy_runs, problems
from sebench_tasks.errors import BuildError, LiteralError, ProblemFormatError
from sebench_tasks.filtering import records
from sebench_tasks.literals import parse_arguments
from sebench_tasks.problems import Problem

PACKAGE = Path(__file__).resolve().parent
SOURCES = PACKAGE / "problems"
TARGET = PACKAGE / "data" / problems.DATA_FILE
AUTHOR = "language model, reviewed by checker"
CANARY = "sebench-tasks canary 663f5b2b-6f8f-4277-b51c-e61f35851274"
"""In the `provenance` of every test problem, so that training data can be filtered for it."""

_FIELDS = ("id", "functions", "signature", "statement", "solution", "cases")
_SAME_VALUE = Tolerance(relative=1e-9, absolute=1e-12)
"""Two builds differ by less than this only through another NumPy release or processor."""


def build(folder: Path = SOURCES, known: Iterable[Problem] = ()) -> list[Problem]:
    """All problems of a source folder, with expected values, sorted by kind, split and id.

    Args:
        folder: holds `<kind>_<split>/<theme>.toml`.
        known: problems of an earlier build; their values are kept where the new ones differ by rounding only.

    Raises:
        ProblemFormatError: a source that cannot be read; names file and line.
        BuildError: a solution that fails on one of its cases.
    """
    sources = read_sources(folder)
    outcomes = numpy_runs.run([solution_job(problem) for problem in sources])
    earlier = {problem.id: problem for problem in known}
    settled = [
        _settled(with_expected(problem, results), earlier.get(problem.id))
        for problem, results in zip(sources, outcomes, strict=True)
    ]
    solvers = records.read(folder)
    return [
        replace(problem, provenance={**problem.provenance, "solvers": records.provenance(problem, solvers)})
        for problem in settled
    ]


def solution_job(problem: Problem) -> numpy_runs.Job:
    """The run of a problem's own solution on its own cases."""
    arguments = tuple(case.arguments for case in problem.cases)
    return numpy_runs.Job(problem.solution, problem.entry_point, arguments)


def to_text(built: Iterable[Problem]) -> str:
    """The content of the built file."""
    return "".join(
        json.dumps(problems.to_record(problem), ensure_ascii=True, allow_nan=False) + "\n" for problem in built
    )


def write(built: Iterable[Problem], path: Path = TARGET) -> None:
    """Write the built file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_text(built), encoding="utf-8")


def stale(built: Sequence[Problem], path: Path = TARGET) -> list[str]:
    """How the built file differs from what its sources give now; empty if it is up to date."""
    if not path.is_file():
        return [f"{path} does not exist"]
    new, old = ({problem.id: problem for problem in group} for group in (built, problems.read(path)))
    missing = [f"{key}: not in the built file" for key in new if key not in old]
    extra = [f"{key}: no longer in the sources" for key in old if key not in new]
    changed = [f"{key}: changed" for key in new if key in old and _differs(new[key], old[key])]
    return missing + extra + changed


def read_sources(folder: Path) -> list[Problem]:
    """Problems of a source folder without expected values (each is None), sorted by kind, split and id."""
    if not folder.is_dir():
        raise ProblemFormatError(f"no problem folder at {folder}")
    found = read_files(sorted(folder.glob("*/*.toml")))
    repeated = [key for key, count in Counter(problem.id for problem in found).items() if count > 1]
    if repeated:
        raise ProblemFormatError(f"{folder}: problem ids must be unique, repeated: {', '.join(repeated[:5])}")
    return sorted(found, key=lambda problem: (problem.kind, problem.split, problem.id))


def read_files(paths: Iterable[Path]) -> list[Problem]:
    """Problems of source files `<kind>_<split>/<theme>.toml`, in order, without expected values."""
    found: list[Problem] = []
    for path in paths:
        kind, _, split = path.resolve().parent.name.partition("_")
        if kind not in problems.KINDS or split not in problems.SPLITS:
            raise ProblemFormatError(f"{path}: the folder must be named <kind>_<split>, such as single_test")
        found += _read_file(path, kind, split)
    return found


def _read_file(path: Path, kind: str, split: str) -> list[Problem]:
    text = path.read_text(encoding="utf-8")
    try:
        tables = tomllib.loads(text).get("problem", [])
    except tomllib.TOMLDecodeError as error:
        raise ProblemFormatError(f"{path}: not TOML ({error})") from error
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.strip() == "[[problem]]"]
    found = []
    for record, line in zip(tables, lines, strict=True):
        try:
            found.append(_parse_source(record, kind, split, path.stem))
        except (ProblemFormatError, LiteralError) as error:
            raise ProblemFormatError(f"{path}:{line}: {record.get('id', 'a problem')}: {error}") from error
    return found


def _parse_source(record: dict[str, Any], kind: str, split: str, theme: str) -> Problem:
    unknown = sorted(set(record) - {*_FIELDS, "tolerance", "equivalent"})
    missing = [name for name in _FIELDS if name not in record]
    if unknown or missing:
        raise ProblemFormatError(f"fields are {', '.join(_FIELDS)}; unknown {unknown}, missing {missing}")
    cases = record["cases"]
    if not isinstance(cases, list) or not all(isinstance(case, str) for case in cases):
        raise ProblemFormatError("'cases' must be a list of texts such as 'a=[1, 2], b=3'")
    problem = problems.from_record(
        {
            **{name: record[name] for name in _FIELDS},
            "kind": kind,
            "split": split,
            "statement": str(record["statement"]).strip(),
            "solution": str(record["solution"]).strip() + "\n",
            "cases": [{"arguments": {}, "expected": None} for _ in cases],
            "tolerance": record.get("tolerance"),
            "provenance": {"author": AUTHOR, "theme": theme, **_canary(split)} | _equivalent(record),
        }
    )
    return replace(problem, cases=tuple(Case(parse_arguments(case), None) for case in cases))


def _canary(split: str) -> dict[str, str]:
    return {"canary": CANARY} if split == "test" else {}


def _equivalent(record: dict[str, Any]) -> dict[str, list[str]]:
    """Names of mutants that its author found to be right solutions, for the checker."""
    listed = record.get("equivalent", [])
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise ProblemFormatError("'equivalent' must be a list of names of mutants, as the checker prints them")
    return {"equivalent": listed} if listed else {}


def with_expected(problem: Problem, results: Sequence[numpy_runs.CaseOutcome]) -> Problem:
    """The problem with what its solution gave. Raises BuildError if it failed on a case."""
    for number, result in enumerate(results, 1):
        if result.error is not None:
            raise BuildError(f"{problem.id}: the solution fails on case {number}: {result.error}")
    cases = zip(problem.cases, results, strict=True)
    return replace(problem, cases=tuple(Case(case.arguments, result.value) for case, result in cases))


def _settled(new: Problem, old: Problem | None) -> Problem:
    """`new`, with the expected values of `old` where they differ by rounding only."""
    if old is None:
        return new
    known = {problems.encoded_text(case.arguments): case.expected for case in old.cases}
    cases = []
    for case in new.cases:
        key = problems.encoded_text(case.arguments)
        keep = key in known and _same_shape(known[key], case.expected) and agree(case.expected, known[key], _SAME_VALUE)
        cases.append(Case(case.arguments, known[key]) if keep else case)
    return replace(new, cases=tuple(cases))


def _differs(new: Problem, old: Problem) -> bool:
    return to_text([_settled(new, old)]) != to_text([old])


def _same_shape(one: Any, other: Any) -> bool:
    """Whether two values have the same types throughout; `agree` takes 3 for 3.0."""
    if isinstance(one, list | tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(_same_shape, one, other))
    return type(one) is type(other)

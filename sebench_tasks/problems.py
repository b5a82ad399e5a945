"""Problem records and where they come from.

A problem is independent of any vocabulary: statement, signature, cases, and a solution in NumPy form.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from sandbox.records import Case, Tolerance
from sebench_tasks.errors import ProblemFormatError, SourceError
from sebench_tasks.strict_json import revived, strict
from zwc._wire import encode

KINDS = ("single", "multi")
SPLITS = ("train", "test")
NAMED_SOURCES = (*KINDS, *SPLITS, *(f"{kind}_{split}" for kind in KINDS for split in SPLITS), "all")
OFFICIAL_FORMS = ("official", "official-recorded")
OFFICIAL_SOURCE = "official SE-Bench data set"
"""The `source` in the `provenance` of official problems."""
IMPORTED_SETS = {"official_single": "single_test", "official_multi": "multi_test", "official_train": "train"}
"""Sets of the imported official data, and the names of their files without the suffix."""
DATA_FILE = "problems.jsonl"

_ENTRY_POINT = re.compile(r"def\s+([A-Za-z_]\w*)\s*\(")


@dataclass(frozen=True)
class Problem:
    """One coding problem.

    `functions` are the function ids that it is about; `tolerance` None means the default of the grader.
    """

    id: str
    kind: str
    split: str
    functions: tuple[str, ...]
    statement: str
    signature: str
    solution: str
    cases: tuple[Case, ...]
    tolerance: Tolerance | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def entry_point(self) -> str:
        """Name of the function to write, from the signature."""
        return entry_point(self.signature)


def entry_point(signature: str) -> str:
    """Name of the function in `def name(parameters):`."""
    found = _ENTRY_POINT.search(signature)
    if found is None:
        raise ProblemFormatError(f"a signature reads 'def name(parameters):', got {signature!r}")
    return found[1]


def load(source: str | Path, *, sandbox: str = "auto", reconcile: bool = True) -> list[Problem]:
    """Read problems from a named set, a JSONL file in the built form, `official:PATH` or `official-recorded:PATH`.

    After any of these, `@mean+linalg.inv` keeps the problems that are about no other functions than the named ones.
    Named sets are the kinds, the splits, `<kind>_<split>` and `all`; their order is that of the built file. The sets
    `official_single`, `official_multi` and `official_train` are those that were imported. Of files of the
    official data set, `official` accepts also what a solution returns in place of a recorded result that
    contradicts it, and runs the solutions in `sandbox` for that; `official-recorded` accepts recorded results only,
    and so does `official` without `reconcile`: for callers that grade nothing.

    Raises:
        SourceError: no such set, file or function.
        ProblemFormatError: a record that cannot be read; names file and line.
        ImportedDataError: the imported data is not as the import left it.
        SandboxError: no sandbox for the solutions of an official file, or it failed.
    """
    text = str(source)
    whole, about = _split_about(text)
    if about:
        chosen = load(whole, sandbox=sandbox, reconcile=reconcile)
        return [problem for problem in chosen if about.issuperset(problem.functions)]
    if text in NAMED_SOURCES:
        return [problem for problem in _built() if text == "all" or text in _sets(problem)]
    if text in IMPORTED_SETS:
        from sebench_tasks import imported

        return imported.load(IMPORTED_SETS[text])
    form, _, path = text.partition(":")
    if form in OFFICIAL_FORMS:
        from sebench_tasks import official

        return official.load(path, reconcile=reconcile and form == "official", sandbox=sandbox)
    if Path(text).is_file():
        return read(Path(text))
    accepted = ", ".join((*NAMED_SOURCES, *IMPORTED_SETS))
    raise SourceError(
        f"unknown problem source {text!r}. Accepted: {accepted}; the path of a JSONL file as "
        "`sebench problems build` writes it; or official:PATH for a file of the official data set "
        "(official-recorded:PATH for its recorded results alone); each with @mean+linalg.inv for the problems about "
        "these functions alone"
    )


def default_vocabulary(source: str | Path) -> str:
    """The vocabulary in which a source is asked unless the user names one: imported data has its own."""
    return "official" if _split_about(str(source))[0] in IMPORTED_SETS else "default"


def _split_about(text: str) -> tuple[str, frozenset[str]]:
    """A source and the functions named behind its last `@`: none if there is no `@`, or a file has that very name."""
    whole, at, names = text.rpartition("@")
    if not at or Path(text).is_file():
        return text, frozenset()
    from zwc import catalog

    about = frozenset(names.split("+"))
    if unknown := sorted(about - catalog.load().keys()):
        raise SourceError(f"{text!r}: no function {unknown[0]!r}; see `sebench vocabulary show` for all of them")
    return whole, about


def read(path: Path) -> list[Problem]:
    """Read a JSONL file in the built form; ids must be unique."""
    return parse_lines(path.read_text(encoding="utf-8").split("\n"), str(path))


def parse_lines(lines: Iterable[str], name: str) -> list[Problem]:
    """Read JSONL records; `name` is what errors call the file."""
    problems = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            problems.append(_parse_line(line, f"{name}:{number}"))
    repeated = [key for key, count in Counter(problem.id for problem in problems).items() if count > 1]
    if repeated:
        raise ProblemFormatError(f"{name}: problem ids must be unique, repeated: {', '.join(repeated[:5])}")
    return problems


def to_record(problem: Problem) -> dict[str, Any]:
    """The record as JSON can hold it; inverse of `from_record`."""
    record: dict[str, Any] = {
        "id": problem.id,
        "kind": problem.kind,
        "split": problem.split,
        "functions": list(problem.functions),
        "statement": problem.statement,
        "signature": problem.signature,
        "solution": problem.solution,
        "cases": [strict(case.as_record()) for case in problem.cases],
    }
    if problem.tolerance is not None:
        record["tolerance"] = {
            "relative": problem.tolerance.relative,
            "absolute": problem.tolerance.absolute,
        }
    return record | {"provenance": dict(problem.provenance)}


def encoded_text(value: Any) -> str:
    """Canonical text of plain data: equal texts mean equal values, nan included."""
    return json.dumps(encode(dict(value) if isinstance(value, Mapping) else value), sort_keys=True)


def from_record(record: object) -> Problem:
    """Check and convert one decoded JSON record.

    Raises:
        ProblemFormatError: a field is missing, unknown, or of the wrong type.
    """
    fields = _mapping(record, "a problem record")
    _known(fields, set(Problem.__dataclass_fields__), "problem")
    problem = Problem(
        id=_text(fields, "id"),
        kind=_choice(fields, "kind", KINDS),
        split=_choice(fields, "split", SPLITS),
        functions=tuple(_texts(fields, "functions")),
        statement=_text(fields, "statement"),
        signature=_text(fields, "signature"),
        solution=_text(fields, "solution"),
        cases=tuple(_case(case) for case in _list(fields, "cases")),
        tolerance=read_tolerance(fields.get("tolerance")),
        provenance=_mapping(fields.get("provenance", {}), "'provenance'"),
    )
    entry_point(problem.signature)
    return problem


def read_tolerance(record: object) -> Tolerance | None:
    """A tolerance from `{"relative": number, "absolute": number}`; None stays None."""
    if record is None:
        return None
    fields = _mapping(record, "'tolerance'")
    _known(fields, {"relative", "absolute"}, "tolerance")
    for name, value in fields.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise ProblemFormatError(f"tolerance.{name} must be a number of 0 or more, got {value!r}")
    return Tolerance(**{name: float(value) for name, value in fields.items()})


def content_hash(problems: Iterable[Problem]) -> str:
    """12 hex digits over the canonical JSON of the problems without provenance, independent of their order."""
    digest = hashlib.sha256()
    for problem in sorted(problems, key=lambda problem: problem.id):
        record = to_record(problem)
        del record["provenance"]
        text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        digest.update(text.encode() + b"\n")
    return digest.hexdigest()[:12]


@cache
def _built() -> tuple[Problem, ...]:
    source = resources.files("sebench_tasks") / "data" / DATA_FILE
    if not source.is_file():
        raise SourceError(f"{source} does not exist. Run `sebench problems build` first")
    return tuple(parse_lines(source.read_text(encoding="utf-8").split("\n"), DATA_FILE))


def _sets(problem: Problem) -> tuple[str, str, str]:
    return problem.kind, problem.split, f"{problem.kind}_{problem.split}"


def _parse_line(line: str, where: str) -> Problem:
    try:
        return from_record(json.loads(line))
    except json.JSONDecodeError as error:
        raise ProblemFormatError(f"{where}: not JSON ({error})") from error
    except ProblemFormatError as error:
        raise ProblemFormatError(f"{where}: {error}") from error


def _case(record: object) -> Case:
    fields = _mapping(record, "a case")
    if set(fields) - {"alternatives"} != {"arguments", "expected"}:
        raise ProblemFormatError(
            f"a case has 'arguments' and 'expected', and may have 'alternatives', got {sorted(fields)}"
        )
    _mapping(fields["arguments"], "'arguments'")
    if "alternatives" in fields:
        _list(fields, "alternatives")
    try:
        return Case.from_record(revived(fields))
    except (TypeError, ValueError, KeyError) as error:
        raise ProblemFormatError(f"a case holds a value that cannot be decoded ({error})") from error


def _known(fields: Mapping[str, Any], names: set[str], what: str) -> None:
    unknown = sorted(set(fields) - names)
    if unknown:
        raise ProblemFormatError(f"unknown {what} field {unknown[0]!r}, expected {', '.join(sorted(names))}")


def _mapping(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ProblemFormatError(f"{what} must be an object, got {type(value).__name__}")
    return value


def _required(fields: Mapping[str, Any], name: str) -> Any:
    if name not in fields:
        raise ProblemFormatError(f"field {name!r} is missing")
    return fields[name]


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = _required(fields, name)
    if not isinstance(value, str) or not value.strip():
        raise ProblemFormatError(f"{name!r} must be text that is not empty, got {value!r}")
    return value


def _list(fields: Mapping[str, Any], name: str) -> list[Any]:
    value = _required(fields, name)
    if not isinstance(value, list) or not value:
        raise ProblemFormatError(f"{name!r} must be a list that is not empty, got {value!r}")
    return value


def _texts(fields: Mapping[str, Any], name: str) -> list[str]:
    values = _list(fields, name)
    if not all(isinstance(value, str) for value in values):
        raise ProblemFormatError(f"{name!r} must hold text only, got {values!r}")
    return values


def _choice(fields: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> str:
    value = _text(fields, name)
    if value not in choices:
        raise ProblemFormatError(f"{name!r} must be one of {', '.join(choices)}, got {value!r}")
    return value

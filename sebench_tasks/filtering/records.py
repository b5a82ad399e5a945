"""What became of every problem that solvers were asked: `solved.jsonl` beside the sources, a line for each.

A line counts for one wording only: `task` is a hash over what solvers see and are graded by.
`sebench problems filter --record` adds to it; `sebench problems build` puts the counts into `provenance`.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sebench_tasks.errors import ProblemFormatError
from sebench_tasks.problems import Problem, to_record

FILE = "solved.jsonl"


@dataclass(frozen=True)
class Record:
    """Who solved this wording of a problem, who failed, and how many earlier wordings some solver failed."""

    id: str
    task: str
    solved_by: tuple[str, ...]
    failed_by: tuple[str, ...]
    rewrites: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """What `provenance` holds."""
        asked = len(self.solved_by) + len(self.failed_by)
        return {"asked": asked, "solved": len(self.solved_by), "rewrites": self.rewrites}


def task_hash(problem: Problem) -> str:
    """12 hex digits over statement, signature, cases and tolerance, however problems are stored."""
    record = to_record(problem) | {"cases": [case.as_record() for case in problem.cases]}
    shown = {name: record.get(name) for name in ("statement", "signature", "cases", "tolerance")}
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:12]


def read(folder: Path) -> dict[str, Record]:
    """The records of a source folder by problem id; none if it has no such file. Raises ProblemFormatError."""
    path = folder / FILE
    if not path.is_file():
        return {}
    found: dict[str, Record] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            record = _parsed(json.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            raise ProblemFormatError(f"{path}:{number}: not a record of solvers ({error})") from error
        if record.id in found:
            raise ProblemFormatError(f"{path}:{number}: a second record of {record.id!r}")
        found[record.id] = record
    return found


def write(folder: Path, records: Iterable[Record]) -> None:
    """Replace the file of a source folder."""
    lines = [json.dumps(asdict(record)) + "\n" for record in sorted(records, key=lambda record: record.id)]
    (folder / FILE).write_text("".join(lines), encoding="utf-8")


def updated(
    known: Mapping[str, Record], problem: Problem, solved_by: Iterable[str], failed_by: Iterable[str] = ()
) -> Record:
    """The record of a problem after these solvers, who join earlier ones of the same wording.

    A name counts once: of a solver that was recorded before, the later result stays.
    """
    task, earlier = task_hash(problem), known.get(problem.id)
    rewrites = earlier.rewrites if earlier else 0
    results = dict.fromkeys(solved_by, True) | dict.fromkeys(failed_by, False)
    if earlier and earlier.task == task:
        results = dict.fromkeys(earlier.solved_by, True) | dict.fromkeys(earlier.failed_by, False) | results
    elif earlier and earlier.failed_by:
        rewrites += 1
    names = sorted(results)
    solved, failed = ([name for name in names if results[name] is passed] for passed in (True, False))
    return Record(problem.id, task, tuple(solved), tuple(failed), rewrites)


def provenance(problem: Problem, known: Mapping[str, Record]) -> dict[str, int]:
    """The counts of a problem in its present wording: all 0 if no solver was asked."""
    record = known.get(problem.id)
    if record is None:
        return Record("", "", (), ()).counts
    if record.task != task_hash(problem):
        return Record("", "", (), (), record.rewrites).counts
    return record.counts


def _parsed(fields: dict[str, Any]) -> Record:
    solved, failed = _names(fields.pop("solved_by")), _names(fields.pop("failed_by"))
    record = Record(solved_by=solved, failed_by=failed, **fields)
    if not (isinstance(record.id, str) and isinstance(record.task, str) and isinstance(record.rewrites, int)):
        raise TypeError("'id' and 'task' must be text, 'rewrites' a number")
    return record


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise TypeError("'solved_by' and 'failed_by' must be lists of names")
    return tuple(value)

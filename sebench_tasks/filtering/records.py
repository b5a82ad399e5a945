"""What became of every problem that solvers were asked: `solved.jsonl` beside the sources, a line for each.

A line counts for one wording only: `task` is a hash over what solvers see and are graded by. Who solves a problem by
hand or by `sebench problems filter --record` adds to it; `sebench problems build` puts it into `provenance`.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from sebench_tasks.errors import ProblemFormatError
from sebench_tasks.problems import Problem, to_record

FILE = "solved.jsonl"


@dataclass(frozen=True)
class Record:
    """How many solvers were asked for this wording of a problem, how many solved it, how often it was reworded.

    `rewrites` counts earlier wordings that some solver failed.
    """

    id: str
    task: str
    asked: int
    solved: int
    rewrites: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """What `provenance` holds."""
        return {"asked": self.asked, "solved": self.solved, "rewrites": self.rewrites}


def task_hash(problem: Problem) -> str:
    """12 hex digits over statement, signature, cases and tolerance."""
    record = to_record(problem)
    shown = {name: record.get(name) for name in ("statement", "signature", "cases", "tolerance")}
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:12]


def read(folder: Path) -> dict[str, Record]:
    """The records of a source folder by problem id; none if it has no such file. Raises ProblemFormatError."""
    path = folder / FILE
    if not path.is_file():
        return {}
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            record = Record(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise ProblemFormatError(f"{path}:{number}: not a record of solvers ({error})") from error
        found[record.id] = record
    return found


def write(folder: Path, records: Iterable[Record]) -> None:
    """Replace the file of a source folder."""
    lines = [json.dumps(asdict(record)) + "\n" for record in sorted(records, key=lambda record: record.id)]
    (folder / FILE).write_text("".join(lines), encoding="utf-8")


def updated(known: Mapping[str, Record], problem: Problem, asked: int, solved: int) -> Record:
    """The record of a problem after these solvers, who count in addition to earlier ones of the same wording."""
    task, earlier = task_hash(problem), known.get(problem.id)
    if earlier is None:
        return Record(problem.id, task, asked, solved)
    if earlier.task == task:
        return replace(earlier, asked=earlier.asked + asked, solved=earlier.solved + solved)
    return Record(problem.id, task, asked, solved, earlier.rewrites + (earlier.solved < earlier.asked))


def provenance(problem: Problem, known: Mapping[str, Record]) -> dict[str, int]:
    """The counts of a problem in its present wording: all 0 if no solver was asked."""
    record = known.get(problem.id)
    rewrites = record.rewrites if record else 0
    return record.counts if record and record.task == task_hash(problem) else Record("", "", 0, 0, rewrites).counts

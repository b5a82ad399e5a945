"""Import of the official data set: its files in, a folder in this project's own form out.

Everything is written into a folder beside the earlier import and moved into place at the end, so that an import that
fails leaves the earlier one as it was.
"""

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sebench_tasks import build, official, problems, reconciliation
from sebench_tasks.errors import ImportedDataError, ProblemFormatError, UnreconciledError
from sebench_tasks.imported import REPORT, digest
from sebench_tasks.problems import Problem
from zwc.vocabulary import IMPORTED_FILE, Vocabulary

if TYPE_CHECKING:
    from sandbox.pool import Pool

FORMS: Mapping[str, tuple[str | None, str]] = {
    "single_test": ("single", "test"),
    "multi_test": ("multi", "test"),
    "train": (None, "train"),
}
"""Kind and split of each set. Training problems are of either kind, by the number of their functions."""

_FILES = (IMPORTED_FILE, *(f"{name}.jsonl" for name in FORMS), REPORT)
_TRIES = 2


@dataclass(frozen=True)
class Source:
    """A problem file of the official form, and the set that it becomes. `label` is what the report calls it."""

    name: str
    path: Path
    label: str


@dataclass(frozen=True)
class ProblemSet:
    """A set on its way: its problems, rows that cannot be read, and why solutions could not be reconciled, by id."""

    source: Source
    problems: Sequence[Problem]
    malformed: Sequence[official.Rejected]
    unreconciled: Mapping[str, str] = field(default_factory=dict)


def read(source: Source) -> ProblemSet:
    """The problems of a file as recorded. Raises SourceError without it, ProblemFormatError if no row can be read."""
    kind, split = FORMS[source.name]
    found, malformed = official.load_lenient(source.path, kind=kind, split=split)
    if not found:
        first = malformed[0]
        raise ProblemFormatError(
            f"{source.label}: none of its {len(malformed)} lines is a problem of the official form; "
            f"line {first.line}: {first.reason}"
        )
    return ProblemSet(source, found, malformed)


def reconcile(recorded: ProblemSet, pool: "Pool", advance: Callable[[], object] = lambda: None) -> ProblemSet:
    """The set with what its solutions return, as `reconciliation.reconcile`; calls `advance` after each problem.

    A solution that is stopped, or leaves no result, twice keeps its recorded results alone, and `provenance` says so.
    Raises SandboxError if the machinery fails.
    """
    reasons: dict[str, str] = {}

    def settled(problem: Problem) -> Problem:
        for _ in range(_TRIES):
            try:
                return reconciliation.reconcile_one(problem, pool)
            except UnreconciledError as error:
                reasons[problem.id] = str(error)
        return replace(problem, provenance={**problem.provenance, "not_reconciled": True})

    done = []
    with ThreadPoolExecutor(pool.workers) as threads:
        for problem in threads.map(settled, recorded.problems):
            done.append(problem)
            advance()
    kept = {problem.id: reasons[problem.id] for problem in done if "not_reconciled" in problem.provenance}
    return replace(recorded, problems=done, unreconciled=kept)


@contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """A new folder inside `folder` for the files of one import.

    Raises ImportedDataError if it cannot be made, or if files that no import wrote would have to give way.
    """
    foreign = [name for name in _FILES if (folder / name).exists()]
    if foreign and not (folder / REPORT).exists():
        raise ImportedDataError(
            f"{folder} holds {', '.join(foreign)} but no {REPORT}: no import wrote that, and it would be replaced. "
            "Name another folder with --output"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=".import-", dir=folder))
    except OSError as error:
        raise ImportedDataError(
            f"cannot write to {folder} ({error}); name another folder with --output, or with SEBENCH_OFFICIAL"
        ) from error
    try:
        yield stage
    finally:
        shutil.rmtree(stage)


def save(
    stage: Path, api_doc: Path, words: Vocabulary, sets: Sequence[ProblemSet], provenance: Mapping[str, str]
) -> None:
    """Write the files of an import into `stage`, and move them to the folder around it.

    `provenance` says with what the import was made: versions and sandbox. Raises OSError; the earlier import stays.
    """
    words.save(stage / IMPORTED_FILE)
    for one in sets:
        build.write(one.problems, stage / f"{one.source.name}.jsonl")
    described = {
        "imported": datetime.now(UTC).isoformat(timespec="seconds"),
        "made_with": dict(provenance),
        "vocabulary": {
            "source": str(api_doc),
            "source_sha256": digest(api_doc),
            "fingerprint": words.fingerprint,
            "functions": len(words.names),
        },
        "sets": {one.source.name: _described(one, stage / f"{one.source.name}.jsonl") for one in sets},
    }
    (stage / REPORT).write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    _move_in(stage, stage.parent)


def _described(one: ProblemSet, written: Path) -> dict[str, Any]:
    return {
        "source": one.source.label,
        "source_sha256": digest(one.source.path),
        "sha256": digest(written),
        "problems": len(one.problems),
        "problem_set_hash": problems.content_hash(one.problems),
        "functions_per_problem": dict(sorted(Counter(len(problem.functions) for problem in one.problems).items())),
        "malformed": [{"line": row.line, "reason": row.reason} for row in one.malformed],
        "contradicts_its_solution": _noted(one, "contradicts_its_solution"),
        "solution_raises": _noted(one, "solution_raises"),
        "not_reconciled": dict(one.unreconciled),
    }


def _noted(one: ProblemSet, note: str) -> dict[str, list[int]]:
    """The case numbers of a note in `provenance`, by problem id."""
    return {problem.id: problem.provenance[note] for problem in one.problems if note in problem.provenance}


def _move_in(stage: Path, folder: Path) -> None:
    """Put the files of `stage` in place of those of the earlier import; if that fails, put the earlier ones back."""
    earlier = stage / "earlier"
    earlier.mkdir()
    arrived: list[str] = []
    try:
        _move(_FILES, folder, earlier)
        for name in _FILES:
            arrived += _move([name], stage, folder)
    except BaseException:
        for name in arrived:
            (folder / name).unlink()
        _move(_FILES, earlier, folder)
        raise


def _move(names: Sequence[str], old: Path, new: Path) -> list[str]:
    """Move those files that exist from one folder to another, and name them."""
    present = [name for name in names if (old / name).exists()]
    for name in present:
        (old / name).replace(new / name)
    return present

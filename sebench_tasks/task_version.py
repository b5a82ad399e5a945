"""The task version: results compare within one version only, and every change to a test problem begins a new one.

`version.toml` beside the problem sources holds the number and the hash of each test set that it stands for. lm-eval's
and Inspect's task files repeat the number; a test compares them.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sebench_tasks.errors import ProblemFormatError
from sebench_tasks.problems import Problem, content_hash

FILE = "version.toml"
TEST_SETS = ("single_test", "multi_test")
_HEAD = "# Written by `sebench problems build --new-version`: the task version and the test problems it stands for.\n"


@dataclass(frozen=True)
class TaskVersion:
    """A number, and the content hash of each test set."""

    number: int
    hashes: Mapping[str, str]


def current() -> int:
    """The number of the problems that this package carries."""
    return read(Path(__file__).resolve().parent / "problems").number


def read(folder: Path) -> TaskVersion:
    """The version of a source folder; number 0 if it has none yet. Raises ProblemFormatError."""
    path = folder / FILE
    if not path.is_file():
        return TaskVersion(0, {})
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        return TaskVersion(int(tables["version"]), dict(tables["hashes"]))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise ProblemFormatError(f"{path}: expected 'version' and a table 'hashes' ({error})") from error


def raise_number(folder: Path, built: Iterable[Problem]) -> TaskVersion:
    """Begin the next version with these problems."""
    version = TaskVersion(read(folder).number + 1, hashes(built))
    lines = [_HEAD, f"version = {version.number}\n", "\n[hashes]\n"]
    lines += [f'{name} = "{digest}"\n' for name, digest in version.hashes.items()]
    (folder / FILE).write_text("".join(lines), encoding="utf-8")
    return version


def hashes(built: Iterable[Problem]) -> dict[str, str]:
    """The content hash of each test set."""
    problems = list(built)
    return {name: content_hash(p for p in problems if f"{p.kind}_{p.split}" == name) for name in TEST_SETS}


def changed(version: TaskVersion, built: Iterable[Problem]) -> list[str]:
    """The test sets that are no longer those of the version."""
    return [name for name, digest in hashes(built).items() if version.hashes.get(name) != digest]

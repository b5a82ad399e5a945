"""Which problems a command means: named sets, built files, and source files that are not built yet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sebench_tasks import build, numpy_runs, problems
from sebench_tasks.checking.faults import Fault
from sebench_tasks.errors import BuildError, SourceError
from sebench_tasks.problems import Problem

_SUFFIX = ".toml"


@dataclass(frozen=True)
class Collection:
    """Problems to check, with expected values; others to compare them with; faults of those that cannot be solved."""

    records: list[Problem]
    others: list[Problem]
    faults: list[Fault]


def collect(sources: Sequence[str], against: Sequence[Path] = ()) -> Collection:
    """Problems of all sources; the others are those of `against` and the rest of the project's own.

    Args:
        sources: each as for `problems.load`, or the path of a source file or of a folder of them.
        against: paths of source files or of folders of them.

    Raises:
        SourceError: no such set, file or folder, or a folder without sources.
        ProblemFormatError: a source that cannot be read; names file and line.
    """
    files = _named_files(sources)
    loaded = _loaded(sources)
    solved, faults = _solved(build.read_files(files))
    known = {problem.id for problem in loaded}
    own = _expanded(build.SOURCES)
    rest = [problem for problem in build.read_files(_without(own, files)) if problem.id not in known]
    further = build.read_files(_without([path for place in against for path in _expanded(place)], [*files, *own]))
    return Collection(loaded + solved, rest + further, faults)


def unsolved(sources: Sequence[str]) -> list[Problem]:
    """Problems of all sources; those of source files come without expected values. Raises as `collect` does."""
    return _loaded(sources) + build.read_files(_named_files(sources))


def _loaded(sources: Sequence[str]) -> list[Problem]:
    return [problem for source in sources if not _is_place(source) for problem in problems.load(source)]


def _named_files(sources: Sequence[str]) -> list[Path]:
    return _without([path for source in sources if _is_place(source) for path in _expanded(Path(source))], [])


def _is_place(source: str) -> bool:
    return source.endswith(_SUFFIX) or (source not in problems.NAMED_SOURCES and Path(source).is_dir())


def _expanded(place: Path) -> list[Path]:
    """The source files that a path means: itself, those of a folder `<kind>_<split>`, or those of such folders."""
    if place.is_file():
        return [place.resolve()]
    kind, _, split = place.resolve().name.partition("_")
    pattern = f"*{_SUFFIX}" if kind in problems.KINDS and split in problems.SPLITS else f"*_*/*{_SUFFIX}"
    found = sorted(path.resolve() for path in place.glob(pattern))
    if not found:
        raise SourceError(f"{place} is no source file, and no folder with <kind>_<split>/<theme>{_SUFFIX}")
    return found


def _without(paths: Iterable[Path], left_out: Sequence[Path]) -> list[Path]:
    return [path for path in dict.fromkeys(paths) if path not in set(left_out)]


def _solved(sources: Sequence[Problem]) -> tuple[list[Problem], list[Fault]]:
    """The problems with their expected values, and a fault for each whose solution fails."""
    outcomes = numpy_runs.run([build.solution_job(problem) for problem in sources])
    found, faults = [], []
    for problem, results in zip(sources, outcomes, strict=True):
        try:
            found.append(build.with_expected(problem, results))
        except BuildError as error:
            faults.append(Fault(problem.id, "solution", str(error).partition(": ")[2]))
    return found, faults

"""Find results in files and folders."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from sebench_tasks.errors import ResultError
from sebench_tasks.results import inspect_logs, lm_eval_files, verdict_files
from sebench_tasks.results.records import Result


def load(paths: Iterable[Path]) -> list[Result]:
    """All results in these files and in the folders' files, in the order given.

    Files are lm-eval's `results_*.json` (with samples beside them), Inspect's `.eval` and `.json` logs, and verdict
    files of `sebench grade`. In folders everything else is passed over.

    Raises:
        ResultError: a named file, or one of these kinds in a folder, cannot be read; or there is none.
    """
    found = []
    for path in paths:
        results = [result for file in _files(path) for result in _read(file)]
        if not results:
            raise ResultError(f"no results at {path}: expected lm-eval's or Inspect's, or those of `sebench grade`")
        found += results
    return found


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (file for file in sorted(path.rglob("*")) if _is_result(file))
    elif path.is_file():
        yield path
    else:
        raise ResultError(f"no file or folder at {path}")


def _is_result(file: Path) -> bool:
    if file.suffix == ".eval" or (file.name.startswith("results_") and file.suffix == ".json"):
        return True
    return file.with_name(file.name + ".run.json").is_file()


def _read(file: Path) -> list[Result]:
    if file.name.startswith("results_") and file.suffix == ".json":
        return lm_eval_files.read(file)
    if file.suffix in (".eval", ".json"):
        return [inspect_logs.read(file)]
    return [verdict_files.read(file)]

"""Response files in and verdict files out, both JSONL."""

import itertools
import json
import os
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from sandbox.records import Verdict
from sebench_tasks.errors import ResponseError, SourceError

_RECORDED = ("cases_passed", "cases", "functions_called", "targets_called", "seconds", "detail")


@dataclass(frozen=True)
class Response:
    """A model's text for one problem; `sample` tells several for the same problem apart."""

    problem_id: str
    sample: int
    text: str


def read_responses(path: Path, known: Container[str]) -> tuple[list[Response], list[str]]:
    """The responses of a file, and its faults as `<line number>: <what is wrong>`.

    Raises:
        SourceError: the file cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot read responses from {path}: {error}") from error
    found: list[Response] = []
    faults: list[str] = []
    seen: Counter[str] = Counter()
    places: dict[tuple[str, int], int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            response = _parse_response(json.loads(line), known, seen)
            _check_first(response, number, places)
        except (ResponseError, ValueError, RecursionError) as error:
            faults.append(f"{number}: {error}")
        else:
            seen[response.problem_id] += 1
            found.append(response)
    return found, faults


def write_responses(responses: Iterator[Response], path: Path) -> None:
    """Write a response file."""
    lines = (
        json.dumps({"id": response.problem_id, "sample": response.sample, "response": response.text}) + "\n"
        for response in responses
    )
    _replace(path, "".join(lines))


def verdict_record(response: Response, verdict: Verdict) -> dict[str, Any]:
    """One line of a verdict file."""
    fields = {name: getattr(verdict, name) for name in _RECORDED}
    named = {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
    head = {"id": response.problem_id, "sample": response.sample, "verdict": verdict.outcome.value}
    return {**head, "passed": verdict.passed, **named}


class VerdictFile:
    """A verdict file in the making: complete lines survive in `<path>.partial` until the whole is there.

    `run` says what is graded how; lines of a run that differs in it are not taken over, their file is renamed to
    `set_aside`. Without a path nothing is written.
    """

    def __init__(self, path: Path | None, run: Mapping[str, Any]) -> None:
        self._path = path
        self._run = dict(run)
        self._records: list[dict[str, Any]] = []
        self._file: IO[str] | None = None
        self.partial = path.with_name(path.name + ".partial") if path else None
        self.set_aside: Path | None = None

    def resume(self) -> list[dict[str, Any]]:
        """Verdicts that an interrupted run of the same kind left, in order."""
        if self.partial and self.partial.is_file():
            head, *lines = self.partial.read_text(encoding="utf-8").split("\n")
            if _decoded(head) == {"run": self._run}:
                self._records = [record for line in lines if (record := _decoded(line)) is not None]
            else:
                self.set_aside = self.partial.rename(_unused(self.partial.with_name(self.partial.name + ".old")))
        return list(self._records)

    def __enter__(self) -> Self:
        if self.partial:
            _replace(self.partial, _lines({"run": self._run}, *self._records))
            self._file = self.partial.open("a", encoding="utf-8")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            with _named(self._file.name):
                self._file.close()

    def add(self, record: dict[str, Any]) -> None:
        """Keep one more verdict."""
        self._records.append(record)
        if self._file:
            with _named(self._file.name):
                self._file.write(_lines(record))
                self._file.flush()

    def finish(self, **named: Any) -> None:
        """Put the complete file in place, `run` and what else is `named` in `<path>.run.json`; end the partial one."""
        if self._path and self.partial:
            provenance = json.dumps({**named, **self._run}, indent=1) + "\n"
            run_path = self._path.with_name(self._path.name + ".run.json")
            _replace_all({self._path: _lines(*self._records), run_path: provenance})
            self.partial.unlink()


def _parse_response(record: object, known: Container[str], seen: Mapping[str, int]) -> Response:
    if not isinstance(record, dict):
        raise ResponseError(f"expected an object with 'id' and 'response', got {type(record).__name__}")
    problem_id, text = (_text(record, name) for name in ("id", "response"))
    if problem_id not in known:
        raise ResponseError(f"unknown problem id {problem_id!r}")
    sample = record.get("sample", seen[problem_id])
    if isinstance(sample, bool) or not isinstance(sample, int):
        raise ResponseError(f"'sample' must be a whole number, got {sample!r}")
    return Response(problem_id, sample, text)


def _check_first(response: Response, number: int, places: dict[tuple[str, int], int]) -> None:
    """Note the line of a sample. Raises ResponseError if an earlier line has the same."""
    first = places.setdefault((response.problem_id, response.sample), number)
    if first != number:
        raise ResponseError(f"sample {response.sample} of {response.problem_id!r} is in line {first} already")


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise ResponseError(f"{name!r} must be text, got {type(value).__name__}" if name in record else f"no {name!r}")
    return value


def _decoded(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def _unused(path: Path) -> Path:
    """The path, or with the first number behind it that makes it new."""
    numbered = (path.with_name(f"{path.name}{number}") for number in itertools.count(2))
    return next(candidate for candidate in itertools.chain([path], numbered) if not candidate.exists())


def _replace(path: Path, text: str) -> None:
    _replace_all({path: text})


def _replace_all(texts: Mapping[Path, str]) -> None:
    """Put the texts in place of the files, once all of them are on disk."""
    unfinished = {path: path.with_name(f".{path.name}.{os.getpid()}.tmp") for path in texts}
    for path in texts:
        path.parent.mkdir(parents=True, exist_ok=True)
    try:
        for path, text in texts.items():
            with _named(path):
                unfinished[path].write_text(text, encoding="utf-8")
        for path in texts:
            unfinished[path].replace(path)
    finally:
        for path in unfinished.values():
            path.unlink(missing_ok=True)


@contextmanager
def _named(path: Path | str) -> Iterator[None]:
    """An error of writing says which file was meant."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error

"""Files of solvers' answers: JSON lines, each complete as soon as it is there."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sebench_tasks.errors import ResponseError

_OPTIONAL = {"sample": int, "prompt_hash": str, "input_tokens": int, "output_tokens": int}


@dataclass(frozen=True)
class Answer:
    """A solver's answer to one problem; `sample` tells several for the same problem apart.

    `prompt_hash` says what was asked. Tokens are None where nobody counted them.
    """

    id: str
    response: str
    sample: int = 0
    prompt_hash: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


def prompt_hash(prompt: str) -> str:
    """12 hex digits over what a solver was asked."""
    return hashlib.sha256(prompt.encode()).hexdigest()[:12]


def read(path: Path) -> list[Answer]:
    """The answers in a file, as `sebench grade` reads them. Raises ResponseError; names file and line."""
    if not path.is_file():
        raise ResponseError(f"no file of answers at {path}")
    found: dict[tuple[str, int, str | None], Answer] = {}
    seen: Counter[tuple[str, str | None]] = Counter()
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            answer = _parsed(json.loads(line), seen)
        except (ResponseError, ValueError, RecursionError) as error:
            raise ResponseError(f"{path}:{number}: {error}") from error
        key = answer.id, answer.sample, answer.prompt_hash
        if key in found:
            raise ResponseError(f"{path}:{number}: a second answer to {answer.id!r}, sample {answer.sample}")
        found[key] = answer
        seen[answer.id, answer.prompt_hash] += 1
    return list(found.values())


class AnswerFile:
    """The answers of one solver, which grow while it is asked. A line that a killed run cut off is forgotten."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        if not (content := path.read_bytes()).endswith(b"\n"):
            path.write_bytes(content[: content.rfind(b"\n") + 1])
        self.answers = read(path)

    def add(self, answer: Answer) -> None:
        """Keep one more answer; it survives the end of this process."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(answer)) + "\n")
        self.answers.append(answer)


def fitting(answers: Sequence[Answer], prompts: Mapping[str, str]) -> list[Answer]:
    """Those that answer one of these prompts (by problem id), as far as they say what they answer."""
    hashes = {key: prompt_hash(prompt) for key, prompt in prompts.items()}
    return [answer for answer in answers if answer.id in hashes and answer.prompt_hash in (None, hashes[answer.id])]


def _parsed(record: Any, seen: Counter[tuple[str, str | None]]) -> Answer:
    if not isinstance(record, dict) or not all(isinstance(record.get(name), str) for name in ("id", "response")):
        raise ResponseError("expected an object with texts 'id' and 'response'")
    options = {name: record[name] for name in _OPTIONAL if record.get(name) is not None}
    for name, value in options.items():
        if type(value) is not _OPTIONAL[name]:
            raise ResponseError(f"{name!r} must be of type {_OPTIONAL[name].__name__}, got {value!r}")
    options.setdefault("sample", seen[record["id"], options.get("prompt_hash")])
    return Answer(record["id"], record["response"], **options)

"""Ask models through Inspect's providers; every answer is on disk as soon as it is there."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sebench_tasks.errors import SourceError

if TYPE_CHECKING:
    from inspect_ai.model import Model


@dataclass(frozen=True)
class Answer:
    """A solver's answer to one problem, and the tokens that it cost."""

    id: str
    response: str
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass
class Asked:
    """The answers of one solver by problem id, and why others are missing."""

    answers: dict[str, Answer] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)


def solver(name: str) -> "Model":
    """A model of one of Inspect's providers, such as `openai/gpt-4o` or `hf/FOLDER`. Raises SourceError."""
    try:
        from inspect_ai.model import get_model
    except ImportError as error:
        raise SourceError("asking models needs Inspect: pip install 'sebench-tasks[inspect]'") from error
    try:
        return get_model(name)
    except Exception as error:  # every provider has its own ways to fail, all of them before anything was asked
        raise SourceError(f"no solver {name!r}: {error}") from error


def ask(model: "Model", prompts: Mapping[str, str], path: Path, connections: int, report: Callable[[], None]) -> Asked:
    """Answers to all prompts (by problem id): those in the file at `path`, and new ones, which are added to it.

    Args:
        model: from `solver`; Inspect repeats requests that fail for a while.
        prompts: what to ask, by problem id.
        path: a JSON line for each answer; a line cut off by a killed run is asked again.
        connections: requests at a time.
        report: called after every answer and every failure.
    """
    asked = Asked(read(path))
    missing = {key: prompt for key, prompt in prompts.items() if key not in asked.answers}
    for _ in range(len(prompts) - len(missing)):
        report()
    if missing:
        asyncio.run(_ask(model, missing, path, connections, asked, report))
    return asked


def read(path: Path) -> dict[str, Answer]:
    """The answers in a file: objects with `id` and `response`. Raises SourceError if a line before the last is none."""
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").split("\n")
    found = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            answer = _answer(json.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            if number == len(lines):
                continue
            raise SourceError(f"{path}:{number}: expected an object with texts 'id' and 'response'") from error
        found[answer.id] = answer
    return found


def _answer(record: dict[str, Any]) -> Answer:
    texts = record["id"], record["response"]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("'id' and 'response' must be text")
    return Answer(*texts, record.get("input_tokens", 0), record.get("output_tokens", 0))


async def _ask(
    model: "Model", prompts: Mapping[str, str], path: Path, connections: int, asked: Asked, report: Callable[[], None]
) -> None:
    places = asyncio.Semaphore(connections)
    _end_last_line(path)
    with path.open("a", encoding="utf-8") as file:

        async def one(key: str, prompt: str) -> None:
            async with places:
                try:
                    output = await model.generate(prompt)
                except Exception as error:  # of one request: the others go on, and a later run asks again
                    asked.errors[key] = f"{type(error).__name__}: {error}"
                else:
                    usage = output.usage
                    tokens = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
                    asked.answers[key] = Answer(key, output.completion, *tokens)
                    file.write(json.dumps(asdict(asked.answers[key])) + "\n")
                    file.flush()
                report()

        await asyncio.gather(*(one(key, prompt) for key, prompt in prompts.items()))


def _end_last_line(path: Path) -> None:
    """Cut off what a killed run left of a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and not (text := path.read_bytes()).endswith(b"\n"):
        path.write_bytes(text[: text.rfind(b"\n") + 1])


def tokens(answers: Iterable[Answer]) -> tuple[int, int]:
    """Tokens read and written in all."""
    listed = list(answers)
    return sum(answer.input_tokens for answer in listed), sum(answer.output_tokens for answer in listed)

"""Ask models through Inspect's providers; every answer is on disk as soon as it is there."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sebench_tasks.errors import SourceError
from sebench_tasks.filtering.answers import Answer, AnswerFile, fitting, prompt_hash

if TYPE_CHECKING:
    from inspect_ai.model import Model, ModelOutput

RETRIES = 5
"""How often Inspect repeats a request that a provider could not serve, over about three minutes."""


@dataclass
class Asked:
    """The answers of one solver, and by problem id why others are missing."""

    answers: list[Answer] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Questions:
    """What every solver is asked: prompts by problem id, and how often each."""

    prompts: Mapping[str, str]
    attempts: int = 1

    def missing(self, answers: list[Answer]) -> list[tuple[str, int]]:
        """Problem ids and samples without an answer."""
        known = {(answer.id, answer.sample) for answer in fitting(answers, self.prompts)}
        return [(key, sample) for key in self.prompts for sample in range(self.attempts) if (key, sample) not in known]


def solver(name: str, connections: int) -> "Model":
    """A model of one of Inspect's providers, such as `openai/gpt-4o` or `hf/FOLDER`. Raises SourceError."""
    try:
        from inspect_ai.model import GenerateConfig, get_model
    except ImportError as error:
        raise SourceError("asking models needs Inspect: pip install 'sebench-tasks[inspect]'") from error
    try:
        return get_model(name, config=GenerateConfig(max_connections=connections, max_retries=RETRIES))
    except Exception as error:  # every provider has its own ways to fail, all of them before anything was asked
        raise SourceError(f"no solver {name!r}: {error}") from error


def answer_path(folder: Path, name: str) -> Path:
    """Where the answers of a solver are kept: one file for each name, whatever characters it has."""
    return folder / f"{quote(name, safe='')}.jsonl"


def ask(
    models: Mapping[str, "Model"],
    questions: Questions,
    folder: Path,
    connections: int,
    report: Callable[[str, int], None],
) -> dict[str, Asked]:
    """The answers of all models, by name: those that the folder has already, and new ones, which are added to it.

    Args:
        models: from `solver`; asked side by side.
        questions: what to ask. Answers to other prompts under the same ids stay in the folder and do not count.
        folder: holds a file for each model.
        connections: requests at a time to each model.
        report: called with a model's name and a number of answers or failures that are there now.
    """
    files = {name: AnswerFile(answer_path(folder, name)) for name in models}
    asked = {name: Asked() for name in models}

    async def everybody() -> None:
        each = (
            _ask(models[name], questions, files[name], asked[name], connections, _to(report, name)) for name in models
        )
        await asyncio.gather(*each)

    asyncio.run(everybody())
    for name, file in files.items():
        found = fitting(file.answers, questions.prompts)
        asked[name].answers = [answer for answer in found if answer.sample < questions.attempts]
    return asked


def _to(report: Callable[[str, int], None], name: str) -> Callable[[int], None]:
    return lambda count: report(name, count)


async def _ask(
    model: "Model",
    questions: Questions,
    file: AnswerFile,
    asked: Asked,
    connections: int,
    report: Callable[[int], None],
) -> None:
    missing = questions.missing(file.answers)
    report(len(questions.prompts) * questions.attempts - len(missing))
    places = asyncio.Semaphore(connections)

    async def one(key: str, sample: int) -> None:
        async with places:
            answer = await _answer(model, questions.prompts[key], key, sample)
        if isinstance(answer, Answer):
            file.add(answer)
        else:
            asked.errors[key] = answer
        report(1)

    await asyncio.gather(*(one(key, sample) for key, sample in missing))


async def _answer(model: "Model", prompt: str, key: str, sample: int) -> Answer | str:
    """The answer, or why there is none: a fault of the provider says nothing about the problem."""
    try:
        output = await model.generate(prompt)
    except Exception as error:  # of one request, in the provider's own terms: the others go on
        return f"{type(error).__name__}: {error}"
    if fault := _fault(output):
        return fault
    return Answer(key, output.completion, sample, prompt_hash(prompt), *_tokens(output))


def _fault(output: "ModelOutput") -> str | None:
    if output.error:
        return output.error
    if output.empty:
        return "the provider answered without a choice"
    return "withheld by the provider's content filter" if output.stop_reason == "content_filter" else None


def _tokens(output: "ModelOutput") -> tuple[int | None, int | None]:
    """Tokens read, cached ones too, and written."""
    if (usage := output.usage) is None:
        return None, None
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached, usage.output_tokens

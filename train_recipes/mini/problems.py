"""Problems about one function and one list of numbers, composed from `functions.toml` and `scenes.toml`.

    python -m train_recipes.mini.problems FOLDER

Three sets have no statement in common:

- `train`: seen scenes with seen phrases;
- `scenes`: unseen scenes with seen phrases, which asks whether the function is known under words that were trained;
- `phrases`: unseen scenes with unseen phrases, which asks whether it is known by its meaning.
"""

import random
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from sandbox.records import Case
from sebench_tasks import build, numpy_runs
from sebench_tasks.problems import Problem

FOLDER = Path(__file__).resolve().parent
SETS = ("train", "scenes", "phrases")
_CASES = 8


@dataclass(frozen=True)
class Asked:
    """A function of the mini set: how it is computed from `{x}` in NumPy form, and the phrases that ask for it."""

    function_id: str
    code: str
    seen: tuple[str, ...]
    unseen: tuple[str, ...]


def functions() -> list[Asked]:
    """The functions of the mini set."""
    tables = _read("functions.toml")
    return [Asked(name, t["code"], tuple(t["seen"]), tuple(t["unseen"])) for name, t in tables.items()]


def load(name: str) -> list[Problem]:
    """The problems of one of `SETS`, with expected values; the same on every call. Runs NumPy for a second."""
    unsolved = list(_compose(name))
    outcomes = numpy_runs.run([build.solution_job(problem) for problem in unsolved])
    return [build.with_expected(problem, results) for problem, results in zip(unsolved, outcomes, strict=True)]


def _compose(name: str) -> Iterator[Problem]:
    """Every function in every scene, the phrases taken in turn; in `phrases` and `scenes` with each phrase."""
    scenes: Mapping[str, str] = _read("scenes.toml")["seen" if name == "train" else "unseen"]
    for asked in functions():
        phrases = asked.unseen if name == "phrases" else asked.seen
        for scene, sentence in scenes.items():
            for number, phrase in enumerate(phrases):
                yield _problem(name, asked, scene, sentence, number, phrase)


def _problem(name: str, asked: Asked, scene: str, sentence: str, number: int, phrase: str) -> Problem:
    key = f"mini_{name}_{asked.function_id}_{scene}_{number}"
    return Problem(
        id=key,
        kind="single",
        split="train" if name == "train" else "test",
        functions=(asked.function_id,),
        statement=f"{sentence} Return {phrase}.",
        signature=f"def answer({scene}):",
        solution=f"import numpy as np\n\ndef answer({scene}):\n    return {asked.code.format(x=scene)}\n",
        cases=tuple(Case({scene: values}, None) for values in _inputs(random.Random(key))),
        provenance={"set": f"mini_{name}"},
    )


def _inputs(rng: random.Random) -> Iterator[list[float]]:
    """Lists of three to six different numbers with two binary places, from 0.5 to 20."""
    for _ in range(_CASES):
        yield [quarters / 4 for quarters in rng.sample(range(2, 80), rng.randint(3, 6))]


def _read(name: str) -> Mapping[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


def main(folder: Path) -> None:
    """Write the three sets as problem files that every tool here reads: train.jsonl, scenes.jsonl, phrases.jsonl."""
    for name in SETS:
        build.write(load(name), folder / f"{name}.jsonl")


if __name__ == "__main__":
    typer.run(main)

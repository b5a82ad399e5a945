"""`sebench problems export`: what a solver sees."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sebench_tasks.cli.options import Problems, VocabularyOfProblems, reported, vocabulary_of


class ShownCondition(StrEnum):
    """What a solver is shown."""

    CLOSED = "closed"
    OPEN = "open"
    NUMPY = "numpy"


@reported
def export(
    problems: Problems,
    output: Annotated[Path, typer.Option(metavar="FILE", help="A .jsonl for programs, any other suffix to read.")],
    condition: Annotated[ShownCondition, typer.Option(help="What the solver is shown.")] = ShownCondition.NUMPY,
    vocabulary: VocabularyOfProblems = None,
) -> None:
    """Write what a solver sees of each problem, for solvers that are asked by hand.

    A .jsonl file has lines {"id": …, "prompt_hash": …, "prompt": …}; a solver that returns the hash with its response
    never answers for a later wording. Any other file has a line "##### ID" before each prompt.

    Example:

    \b
      sebench problems export --problems single_test --output tasks.txt
    """
    from sebench_tasks import problems as problem_sets
    from sebench_tasks import prompts
    from sebench_tasks.filtering.answers import prompt_hash
    from sebench_tasks.prompts import Condition

    known = problem_sets.load(problems, reconcile=False)
    words, shown = vocabulary_of(problems, vocabulary), Condition(condition.value)
    texts = {problem.id: prompts.build(problem, shown, words) for problem in known}
    if output.suffix == ".jsonl":
        records = ({"id": key, "prompt_hash": prompt_hash(text), "prompt": text} for key, text in texts.items())
        content = "".join(json.dumps(record) + "\n" for record in records)
    else:
        content = "\n".join(f"##### {key}\n{text}" for key, text in texts.items())
    output.write_text(content, encoding="utf-8")
    typer.echo(f"{len(texts)} problems: {output}")

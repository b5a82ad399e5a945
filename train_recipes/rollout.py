"""First stage: sample responses.

    python -m train_recipes.rollout --problems single_train --output rollouts.jsonl

The oracle answers with each problem's own solution in the words of the vocabulary: for models that are too small to
solve anything, and for tests. Any other model is asked through Inspect's providers.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from sebench_tasks import oracle, responses
from sebench_tasks import problems as problem_sets
from sebench_tasks.cli.options import Problems, VocabularyText, parse_vocabulary, reported
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition
from sebench_tasks.responses import Response
from zwc.vocabulary import Vocabulary


def from_oracle(known: Iterable[Problem], vocabulary: Vocabulary) -> Iterator[Response]:
    """One right response for each problem."""
    for problem in known:
        yield Response(problem.id, 0, oracle.answer(problem, vocabulary, Condition.CLOSED))


@reported
def main(
    problems: Problems,
    output: Annotated[Path, typer.Option(metavar="ROLLOUTS.jsonl")],
    vocabulary: VocabularyText = "default",
) -> None:
    """Sample responses of the oracle."""
    known = problem_sets.load(problems, reconcile=False)
    responses.write_responses(from_oracle(known, parse_vocabulary(vocabulary)), output)
    typer.echo(f"{len(known)} responses: {output}")


if __name__ == "__main__":
    typer.run(main)

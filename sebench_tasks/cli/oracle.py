"""`sebench oracle`: responses that must pass."""

from pathlib import Path
from typing import Annotated

import typer

from sebench_tasks.cli.options import FAILED, GradedCondition, Problems, VocabularyOfProblems, reported, vocabulary_of


@reported
def oracle(
    problems: Problems,
    output: Annotated[Path, typer.Option("--output", metavar="RESPONSES.jsonl", help="Where the responses go.")],
    vocabulary: VocabularyOfProblems = None,
    condition: Annotated[
        GradedCondition, typer.Option(help="numpy: the solutions as they are.")
    ] = GradedCondition.CLOSED,
) -> None:
    """Write each problem's own solution as a response, in the names of the vocabulary.

    Grading them tests the whole path without a model: all of this project's problems must pass.
    Of official:PATH only the recorded results are read; no solution runs here.

    Examples:

    \b
      sebench oracle --problems single_test --vocabulary seed:7 --output oracle.jsonl
      sebench grade oracle.jsonl --problems single_test --vocabulary seed:7
    """
    from sebench_tasks import oracle as answers
    from sebench_tasks import problems as problem_sets
    from sebench_tasks.errors import OracleError
    from sebench_tasks.prompts import Condition
    from sebench_tasks.responses import Response, write_responses

    words = vocabulary_of(problems, vocabulary)
    written: list[Response] = []
    missing: list[str] = []
    for problem in problem_sets.load(problems, reconcile=False):
        try:
            text = answers.answer(problem, words, Condition(condition.value))
        except OracleError as error:
            missing.append(f"{problem.id}: {error}")
        else:
            written.append(Response(problem.id, 0, text))
    write_responses(iter(written), output)
    typer.echo(f"{len(written)} responses: {output}")
    if missing:
        typer.echo("No answer for:\n" + "\n".join(missing), err=True)
        raise typer.Exit(FAILED)

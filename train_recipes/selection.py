"""Third stage: of graded responses, keep what passed, and of equal code one.

    sebench grade rollouts.jsonl --problems single_train --output verdicts.jsonl
    python -m train_recipes.selection rollouts.jsonl verdicts.jsonl --problems single_train --output solutions.jsonl

The paper (arXiv 2602.04811, section 4) keeps up to five passing responses per problem; here `--most` says how many. Two
responses count as equal if their code is, once formatting and comments are gone.
"""

import ast
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from sandbox.extraction import extract_code
from sebench_tasks import problems as problem_sets
from sebench_tasks import responses
from sebench_tasks.cli.options import Problems, reported
from sebench_tasks.errors import SourceError
from sebench_tasks.problems import Problem
from sebench_tasks.responses import Response


def select(
    answers: Iterable[Response], passed: set[tuple[str, int]], known: Mapping[str, Problem], most: int
) -> Iterator[Response]:
    """The passing answers with new code, at most `most` for a problem, in order.

    Args:
        answers: responses as a model gave them.
        passed: problem id and sample of those that passed.
        known: the problems by id.
    """
    kept: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for answer in answers:
        if (answer.problem_id, answer.sample) not in passed or kept[answer.problem_id] == most:
            continue
        key = (answer.problem_id, _form(answer.text, known[answer.problem_id]))
        if key not in seen:
            seen.add(key)
            kept[answer.problem_id] += 1
            yield answer


def _form(text: str, problem: Problem) -> str:
    """The code of a response without its formatting. Passing code parses."""
    return ast.unparse(ast.parse(extract_code(text, problem.entry_point) or ""))


@reported
def main(
    rollouts: Annotated[Path, typer.Argument(metavar="ROLLOUTS.jsonl")],
    verdicts: Annotated[Path, typer.Argument(metavar="VERDICTS.jsonl", help="What `sebench grade` wrote about them.")],
    problems: Problems,
    output: Annotated[Path, typer.Option(metavar="SOLUTIONS.jsonl")],
    most: Annotated[int, typer.Option(min=1, help="How many to keep for a problem.")] = 5,
) -> None:
    """Keep the responses that passed, without repetitions."""
    known = {problem.id: problem for problem in problem_sets.load(problems, reconcile=False)}
    records = [json.loads(line) for line in verdicts.read_text(encoding="utf-8").splitlines()]
    answers, faults = responses.read_responses(rollouts, known)
    graded = [(record["id"], record["sample"]) for record in records]
    if faults or graded != [(answer.problem_id, answer.sample) for answer in answers]:
        raise SourceError(f"{verdicts} is not about the responses of {rollouts}: grade them again")
    passed = {key for key, record in zip(graded, records, strict=True) if record["passed"]}
    kept = list(select(answers, passed, known, most))
    responses.write_responses(iter(kept), output)
    solved = len({answer.problem_id for answer in kept})
    typer.echo(f"{len(kept)} of {len(answers)} responses kept, for {solved} problems: {output}")


if __name__ == "__main__":
    typer.run(main)

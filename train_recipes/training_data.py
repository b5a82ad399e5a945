"""Fourth stage: what the trainers read.

    python -m train_recipes.training_data sft solutions.jsonl --problems single_train --condition closed --output data
    python -m train_recipes.training_data rl --problems single_train --rollout open --update closed --output data

Both write `<output>/train.jsonl`, which `load_dataset("<output>")` and TRL's `--dataset_name <output>` read, and
`<output>/made_from.json`, which names problems, vocabulary and prompts by their hashes.

Supervised examples are message lists `prompt` and `completion`: TRL then takes the loss over the completion alone.
Closed-SFT and Open-SFT differ here and nowhere else: the same solutions, the reference in the prompt or not. For
reinforcement learning `prompt` is what is sampled from and `update_prompt` what the update sees.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from sebench_tasks import problems as problem_sets
from sebench_tasks import prompts, responses
from sebench_tasks.cli.options import Problems, VocabularyText, parse_vocabulary, reported
from sebench_tasks.errors import SourceError
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition
from sebench_tasks.responses import Response
from zwc.vocabulary import Vocabulary

app = typer.Typer(help=__doc__, no_args_is_help=True, rich_markup_mode=None)
Output = Annotated[Path, typer.Option(metavar="FOLDER", help="The folder to write; replaced if it is there.")]


def supervised(
    known: Iterable[Problem], solutions: Iterable[Response], condition: Condition, vocabulary: Vocabulary
) -> Iterator[dict[str, Any]]:
    """One example for each solution, its prompt under `condition`."""
    asked = {problem.id: _user(prompts.build(problem, condition, vocabulary)) for problem in known}
    for solution in solutions:
        answer = [{"role": "assistant", "content": solution.text.strip()}]
        yield {"problem": solution.problem_id, "prompt": asked[solution.problem_id], "completion": answer}


def reinforced(
    known: Iterable[Problem], rollout: Condition, update: Condition, vocabulary: Vocabulary
) -> Iterator[dict[str, Any]]:
    """One row for each problem: its prompt for sampling, and its prompt for the update."""
    for problem in known:
        sampled, updated = (_user(prompts.build(problem, condition, vocabulary)) for condition in (rollout, update))
        yield {"problem": problem.id, "prompt": sampled, "update_prompt": updated}


def _user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


@app.command()
@reported
def sft(
    solutions: Annotated[Path, typer.Argument(metavar="SOLUTIONS.jsonl", help="Responses that passed.")],
    problems: Problems,
    output: Output,
    condition: Annotated[Condition, typer.Option(help="What the prompts of the update show.")] = Condition.CLOSED,
    vocabulary: VocabularyText = "default",
) -> None:
    """Data for supervised fine-tuning: the solutions under prompts of one condition."""
    known, names = problem_sets.load(problems), parse_vocabulary(vocabulary)
    answers, faults = responses.read_responses(solutions, {problem.id for problem in known})
    if faults:
        raise SourceError(f"{solutions}:{faults[0]}")
    _write(output, supervised(known, answers, condition, names), _made_from(known, names, update=condition))


@app.command()
@reported
def rl(
    problems: Problems,
    output: Output,
    rollout: Annotated[Condition, typer.Option(help="What the prompts for sampling show.")] = Condition.OPEN,
    update: Annotated[Condition, typer.Option(help="What the prompts of the update show.")] = Condition.CLOSED,
    vocabulary: VocabularyText = "default",
) -> None:
    """Data for reinforcement learning: prompts alone."""
    known, names = problem_sets.load(problems), parse_vocabulary(vocabulary)
    rows = reinforced(known, rollout, update, names)
    _write(output, rows, _made_from(known, names, rollout=rollout, update=update))


def _made_from(known: list[Problem], vocabulary: Vocabulary, **conditions: Condition) -> dict[str, Any]:
    return {
        "problem_set_hash": problem_sets.content_hash(known),
        "vocabulary": vocabulary.label,
        "vocabulary_fingerprint": vocabulary.fingerprint,
        "prompt_version": prompts.PROMPT_VERSION,
        **{name: condition.value for name, condition in conditions.items()},
    }


def _write(folder: Path, rows: Iterable[dict[str, Any]], made_from: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row) + "\n" for row in rows]
    (folder / "train.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "made_from.json").write_text(json.dumps({**made_from, "rows": len(lines)}, indent=1) + "\n")
    typer.echo(f"{len(lines)} rows: {folder / 'train.jsonl'}")


if __name__ == "__main__":
    app()

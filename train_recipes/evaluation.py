"""Last stage: the ordinary lm-eval tasks on a checkpoint.

    python -m train_recipes.evaluation CHECKPOINT --problems single_test@mean+sort --condition closed --output FOLDER

runs this and no more, and prints one row a condition from the results that lm-eval wrote:

    lm_eval --model hf --model_args pretrained=CHECKPOINT --tasks sebench_single --apply_chat_template
        --metadata sebench_problems=single_test@mean+sort --output_path FOLDER --log_samples
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from sebench_tasks.cli.options import Problems, VocabularyText, reported
from sebench_tasks.errors import SebenchError
from sebench_tasks.prompts import Condition

TASKS = {
    Condition.CLOSED: "sebench_single",
    Condition.OPEN: "sebench_single_open",
    Condition.NUMPY: "sebench_single_numpy",
}
"""By condition. The problems are named apart, so multi problems go through these tasks just as well."""


@dataclass(frozen=True)
class Score:
    """One task's result on one checkpoint: share of problems solved, and of every verdict."""

    checkpoint: str
    condition: str
    problems: str
    problem_count: int
    problem_set_hash: str
    vocabulary: str
    passed: float
    verdicts: Mapping[str, float]


def evaluate(
    checkpoint: Path,
    problems: str,
    conditions: Sequence[Condition],
    output: Path,
    *,
    vocabulary: str = "default",
    options: Sequence[str] = (),
) -> list[Score]:
    """Run lm-eval once over all conditions; its files go to `output`.

    Args:
        checkpoint: a folder that transformers loads.
        problems: what `problems.load` reads.
        conditions: each is a task of lm-eval's.
        output: results and samples of lm-eval.
        vocabulary: what `Vocabulary.parse` reads.
        options: further arguments of `lm_eval`, such as `--batch_size 16`.

    Raises:
        SebenchError: lm-eval ended with an error, or left a task without a score.
    """
    metadata = {"sebench_problems": problems, "sebench_vocabulary": vocabulary}
    command = [sys.executable, "-m", "lm_eval", "--model", "hf", "--model_args", f"pretrained={checkpoint}"]
    command += ["--tasks", ",".join(TASKS[condition] for condition in conditions), "--apply_chat_template"]
    command += ["--metadata", json.dumps(metadata), "--output_path", str(output), "--log_samples", *options]
    environment = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "LMEVAL_LOG_LEVEL": "WARNING", **os.environ}
    done = subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL)
    if done.returncode:
        raise SebenchError(f"lm-eval ended with status {done.returncode} on {checkpoint}; its messages are above")
    return _scores(checkpoint, max(output.rglob("results_*.json"), key=lambda path: path.stat().st_mtime))


def _scores(checkpoint: Path, path: Path) -> list[Score]:
    found = json.loads(path.read_text(encoding="utf-8"))
    return [_score(str(checkpoint), results, found["configs"][task]) for task, results in found["results"].items()]


def _score(checkpoint: str, results: Mapping[str, Any], config: Mapping[str, Any]) -> Score:
    about = config["metadata"]["sebench"]
    passed = results["avg@1,none"]
    if not isinstance(passed, int | float) or passed != passed:
        raise SebenchError(f"{config['task']} has no score on {checkpoint}: the sandbox failed while it was graded")
    return Score(
        checkpoint=checkpoint,
        condition=about["condition"],
        problems=about["problems"],
        problem_count=about["problem_count"],
        problem_set_hash=about["problem_set_hash"],
        vocabulary=about["vocabulary_fingerprint"],
        passed=passed,
        verdicts={
            key.removeprefix("verdict_").removesuffix(",none"): rate
            for key, rate in results.items()
            if key.startswith("verdict_") and key.endswith(",none") and rate
        },
    )


@reported
def main(
    checkpoint: Annotated[Path, typer.Argument(metavar="CHECKPOINT")],
    problems: Problems,
    output: Annotated[Path, typer.Option(metavar="FOLDER", help="Where lm-eval's files go.")],
    condition: Annotated[list[Condition] | None, typer.Option(help="May be repeated; by default closed.")] = None,
    vocabulary: VocabularyText = "default",
    batch_size: Annotated[int, typer.Option(min=1)] = 16,
) -> None:
    """Evaluate a checkpoint and print a row a condition."""
    options = ["--batch_size", str(batch_size)]
    conditions = condition or [Condition.CLOSED]
    for score in evaluate(checkpoint, problems, conditions, output, vocabulary=vocabulary, options=options):
        typer.echo(json.dumps(asdict(score)))


if __name__ == "__main__":
    typer.run(main)

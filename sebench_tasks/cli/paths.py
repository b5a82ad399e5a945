"""`sebench tasks-path`: where the lm-eval tasks are."""

from pathlib import Path

import typer


def tasks_path() -> None:
    """Print the folder of the lm-eval task files.

    Example:

    \b
      lm_eval --include_path "$(sebench tasks-path)" --tasks sebench_single --model hf --model_args …
    """
    typer.echo(Path(__file__).resolve().parent.parent / "lm_eval_tasks")

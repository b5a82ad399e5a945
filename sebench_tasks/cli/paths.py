"""`sebench tasks-path`: where the lm-eval tasks are."""

import typer


def tasks_path() -> None:
    """Print the folder of the lm-eval task files; on stderr, whether lm-eval needs it here.

    Example:

    \b
      lm_eval --include_path "$(sebench tasks-path)" --tasks sebench_single --model hf --model_args …
    """
    from sebench_tasks.lm_eval_places import advice, tasks_folder

    typer.echo(tasks_folder())
    typer.echo(advice(), err=True)

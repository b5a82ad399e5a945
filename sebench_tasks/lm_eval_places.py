"""Where the lm-eval task files are, and whether lm-eval finds them by itself."""

from __future__ import annotations

from importlib import util
from pathlib import Path


def tasks_folder() -> Path:
    """The folder for `lm_eval --include_path`."""
    return Path(__file__).resolve().parent / "lm_eval_tasks"


def listed() -> bool | None:
    """Whether the plain `lm_eval` command lists the tasks; None where lm-eval is not installed.

    It does where the wheel could place its copies beside lm-eval's own tasks: not with an editable lm-eval, nor when
    the two packages lie in different folders.
    """
    found = util.find_spec("lm_eval")
    if found is None or found.origin is None:
        return None
    return (Path(found.origin).parent / "tasks" / "sebench" / "sebench_single.yaml").is_file()


def advice() -> str:
    """One line for the user: how to run the tasks here."""
    match listed():
        case None:
            return "lm-eval is not installed; get it with: pip install 'sebench-tasks[lm-eval]'"
        case True:
            return "lm-eval lists the tasks; no --include_path is needed"
        case False:
            return f'lm-eval lies elsewhere and needs: --include_path "{tasks_folder()}"'

"""SE-Bench as an Inspect task: problems that need at least three functions of the library together.

inspect eval sebench_tasks/sebench_multi --model hf/CKPT
inspect eval sebench_tasks/multi.py --model hf/CKPT -T condition=open    # from a checkout, installed or not
inspect eval sebench_tasks/sebench_multi --model none/none --solver sebench_tasks/oracle
"""

import sys
from pathlib import Path
from typing import Any

from inspect_ai import Task, task

try:
    from sebench_tasks.inspect_tasks import build
except ModuleNotFoundError:  # run as a file of a checkout that is not installed
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from sebench_tasks.inspect_tasks import build


@task
def sebench_multi(
    condition: str = "closed",
    vocabulary: str = "default",
    sandbox: str = "auto",
    problems: str = "multi_test",
    limit: int | None = None,
    workers: int | None = None,
    sandbox_limits: dict[str, Any] | None = None,
    check_sandbox: bool = True,
) -> Task:
    """Problems that need at least three functions of the library together.

    Args:
        condition: `closed` shows no documentation, `open` that of the needed functions, `numpy` asks for NumPy itself.
        vocabulary: `default`, `seed:N`, `official:PATH` or a vocabulary file.
        sandbox: `auto`, `docker`, `podman`, `bwrap` or `process` (no isolation).
        problems: a named set, a JSONL file of problems, or `official:PATH`.
        limit: ask only the first so many problems.
        workers: responses graded at a time; by default one for each processor.
        sandbox_limits: limits of one run that differ from their defaults, such as `{wall_s: 20, cpu_s: 20}`.
        check_sandbox: try the sandbox before generation; `false` suits `--no-score` on a machine without one.
    """
    return build(
        problems,
        condition,
        vocabulary,
        sandbox,
        limit=limit,
        workers=workers,
        sandbox_limits=sandbox_limits,
        check_sandbox=check_sandbox,
    )

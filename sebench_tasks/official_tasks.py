"""The official SE-Bench problems as Inspect tasks, in the official names. `sebench official import` comes first.

inspect eval sebench_tasks/sebench_official_single --model hf/CKPT
inspect eval sebench_tasks/official_tasks.py@sebench_official_multi --model hf/CKPT    # from a checkout
inspect eval sebench_tasks/sebench_official_single --model none/none --solver sebench_tasks/oracle
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
def sebench_official_single(
    condition: str = "closed",
    vocabulary: str = "official",
    sandbox: str = "auto",
    limit: int | None = None,
    workers: int | None = None,
    sandbox_limits: dict[str, Any] | None = None,
    check_sandbox: bool = True,
) -> Task:
    """Imported official problems that need one function of the library.

    Args:
        condition: `closed` shows no documentation, `open` this project's of the needed functions, `numpy` asks for
            NumPy itself.
        vocabulary: `official` (the imported one), `default`, `seed:N`, `official:PATH` or a vocabulary file.
        sandbox: `auto`, `docker`, `podman`, `bwrap` or `process` (no isolation).
        limit: ask only the first so many problems.
        workers: responses graded at a time; by default one for each processor.
        sandbox_limits: limits of one run that differ from their defaults, such as `{wall_s: 20, cpu_s: 20}`.
        check_sandbox: try the sandbox before generation; `false` suits `--no-score` on a machine without one.
    """
    return build(
        "official_single",
        condition,
        vocabulary,
        sandbox,
        limit=limit,
        workers=workers,
        sandbox_limits=sandbox_limits,
        check_sandbox=check_sandbox,
    )


@task
def sebench_official_multi(
    condition: str = "closed",
    vocabulary: str = "official",
    sandbox: str = "auto",
    limit: int | None = None,
    workers: int | None = None,
    sandbox_limits: dict[str, Any] | None = None,
    check_sandbox: bool = True,
) -> Task:
    """Imported official problems that need several functions of the library together.

    Args:
        condition: `closed` shows no documentation, `open` this project's of the needed functions, `numpy` asks for
            NumPy itself.
        vocabulary: `official` (the imported one), `default`, `seed:N`, `official:PATH` or a vocabulary file.
        sandbox: `auto`, `docker`, `podman`, `bwrap` or `process` (no isolation).
        limit: ask only the first so many problems.
        workers: responses graded at a time; by default one for each processor.
        sandbox_limits: limits of one run that differ from their defaults, such as `{wall_s: 20, cpu_s: 20}`.
        check_sandbox: try the sandbox before generation; `false` suits `--no-score` on a machine without one.
    """
    return build(
        "official_multi",
        condition,
        vocabulary,
        sandbox,
        limit=limit,
        workers=workers,
        sandbox_limits=sandbox_limits,
        check_sandbox=check_sandbox,
    )

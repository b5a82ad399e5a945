"""Results of `sebench grade`: a verdict file and the `.run.json` beside it."""

import json
from pathlib import Path

from sebench_tasks import problems as problem_sets
from sebench_tasks.errors import ResultError, SebenchError
from sebench_tasks.results.lm_eval_files import attempt
from sebench_tasks.results.records import Attempt, Result, Setting, faults_of, kind_of


def read(path: Path) -> Result:
    """The result in a verdict file. Raises ResultError."""
    run_path = path.with_name(path.name + ".run.json")
    try:
        run = json.loads(run_path.read_text(encoding="utf-8"))
        attempts: dict[str, list[Attempt]] = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            attempts.setdefault(record["id"], []).append(attempt(record))
        setting = Setting(
            run["problem_set_hash"],
            run["vocabulary_fingerprint"],
            run["condition"],
            str(run["prompt_version"]),
            str(run["task_version"]),
        )
        count, problems = int(run["problem_count"]), str(run["problems"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResultError(f"{path}: not what `sebench grade --output` writes ({error!r})") from error
    faults = tuple(faults_of(count, attempts, None))
    functions = _functions(problems, setting.problem_set_hash)
    kind = kind_of(problems)
    return Result(str(path), "sebench grade", path.stem, kind, setting, count, attempts, functions, faults)


def _functions(source: str, digest: str) -> dict[str, tuple[str, ...]]:
    """The functions of each problem, where the source is at hand and holds what was graded."""
    try:
        known = problem_sets.load(source, reconcile=False)
    except SebenchError:
        return {}
    return {p.id: p.functions for p in known} if problem_sets.content_hash(known) == digest else {}

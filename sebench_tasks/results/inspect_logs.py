"""Results of Inspect: its logs, `.eval` or `.json`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sebench_tasks.errors import ResultError
from sebench_tasks.results.records import Attempt, Result, Setting, faults_of, kind_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample


def read(path: Path) -> Result:
    """The result in a log; failed and interrupted evaluations are faults of it. Raises ResultError."""
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise ResultError(f"{path}: reading logs of Inspect needs pip install 'sebench-tasks[inspect]'") from error
    try:
        log = read_eval_log(str(path))
    except Exception as error:  # its reader raises what the file's damage makes of it
        raise ResultError(f"{path} is no readable log of Inspect ({error!r})") from error
    about = log.eval.metadata or {}
    if "problem_set_hash" not in about:
        raise ResultError(f"{path} is no log of the SE-Bench tasks")
    attempts = _attempts(log)
    count = int(about["problem_count"])
    faults = [f"the evaluation ended as {log.status!r}"] if log.status != "success" else []
    faults += faults_of(count, attempts, log.eval.config.epochs or 1)
    functions = {str(sample.id): tuple((sample.metadata or {}).get("functions", ())) for sample in log.samples or []}
    kind = kind_of(about["problems"])
    return Result(
        str(path), "Inspect", log.eval.model, kind, _setting(log, about), count, attempts, functions, tuple(faults)
    )


def _setting(log: "EvalLog", about: Mapping[str, Any]) -> Setting:
    return Setting(
        about["problem_set_hash"],
        about["vocabulary_fingerprint"],
        about["condition"],
        str(about["prompt_version"]),
        str(log.eval.task_version).partition("-")[0],
    )


def _attempts(log: "EvalLog") -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for sample in log.samples or []:
        graded = _attempt(sample)
        if graded is not None:
            found.setdefault(str(sample.id), []).append(graded)
    return found


def _attempt(sample: "EvalSample") -> Attempt | None:
    """None for a sample without a verdict: it failed, or was not scored."""
    score = next((score for score in (sample.scores or {}).values() if (score.metadata or {}).get("verdict")), None)
    if score is None or sample.error is not None:
        return None
    about = score.metadata or {}
    return Attempt(
        verdict=about["verdict"],
        functions_called=tuple(about.get("functions_called", ())),
        targets_called=tuple(about.get("targets_called", ())),
        detail=about.get("detail", ""),
        code=score.answer or "",
        response=sample.output.completion,
    )

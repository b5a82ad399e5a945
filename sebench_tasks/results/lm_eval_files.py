"""Results of lm-eval: `results_*.json` and the samples beside it (`--log_samples`)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sebench_tasks.errors import ResultError
from sebench_tasks.results.records import Attempt, Result, Setting, faults_of, kind_of


def read(path: Path) -> list[Result]:
    """The results of our tasks in one `results_*.json`. Raises ResultError."""
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        tasks = {name: config for name, config in whole["configs"].items() if "sebench" in config.get("metadata", {})}
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise ResultError(f"{path} holds no results of lm-eval ({error!r})") from error
    if not tasks:
        raise ResultError(f"{path} holds no results of the SE-Bench tasks")
    return [_result(path, whole, name, config["metadata"]["sebench"]) for name, config in tasks.items()]


def _result(path: Path, whole: Mapping[str, Any], task: str, about: Mapping[str, Any]) -> Result:
    stamp = path.stem.removeprefix("results_")
    samples = path.with_name(f"samples_{task}_{stamp}.jsonl")
    if not samples.is_file():
        raise ResultError(f"{samples} is missing: run lm_eval with --log_samples")
    try:
        attempts = _attempts(samples)
        setting = Setting(
            about["problem_set_hash"],
            about["vocabulary_fingerprint"],
            about["condition"],
            str(about["prompt_version"]),
            str(whole["versions"][task]),
        )
        count, repeats = int(about["problem_count"]), int(about["samples_per_problem"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResultError(f"{samples}: not what the SE-Bench tasks write ({error!r})") from error
    checkpoint = str(whole.get("model_name") or whole.get("model_source") or "model")
    faults = tuple(faults_of(count, attempts, repeats))
    return Result(str(path), "lm-eval", checkpoint, kind_of(about["problems"]), setting, count, attempts, faults)


def _attempts(path: Path) -> dict[str, list[Attempt]]:
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        sample = json.loads(line)
        texts = sample["resps"][0]
        found[sample["doc"]["id"]] = [
            attempt(verdict, texts[number] if number < len(texts) else "")
            for number, verdict in enumerate(sample["verdicts"])
        ]
    return found


def attempt(verdict: Mapping[str, Any], response: str = "") -> Attempt:
    """An attempt from a verdict's record."""
    return Attempt(
        verdict=verdict["verdict"],
        functions_called=tuple(verdict.get("functions_called", ())),
        targets_called=tuple(verdict.get("targets_called", ())),
        detail=verdict.get("detail", ""),
        code=verdict.get("code", ""),
        response=response,
    )

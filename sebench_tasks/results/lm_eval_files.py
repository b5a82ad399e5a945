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
        documents = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
        attempts = {document["doc"]["id"]: _attempts(document) for document in documents}
        functions = {document["doc"]["id"]: tuple(document["doc"]["functions"]) for document in documents}
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
    checkpoint = _checkpoint(whole)
    faults = tuple(faults_of(count, attempts, repeats))
    kind = kind_of(about["problems"])
    return Result(str(path), "lm-eval", checkpoint, kind, setting, count, attempts, functions, faults)


def _checkpoint(whole: Mapping[str, Any]) -> str:
    """The weights that were asked, or the kind of model where it has none: lm-eval names it at random then."""
    config = whole.get("config") or {}
    arguments = config.get("model_args")
    named = arguments.get("pretrained") or arguments.get("model") if isinstance(arguments, Mapping) else None
    return str(named or config.get("model") or "model")


def _attempts(document: Mapping[str, Any]) -> list[Attempt]:
    texts = document["resps"][0]
    return [
        attempt(verdict, texts[number] if number < len(texts) else "")
        for number, verdict in enumerate(document["verdicts"])
    ]


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

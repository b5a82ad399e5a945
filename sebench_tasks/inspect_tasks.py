"""What the Inspect tasks share: from a set of problems to a task."""

import os
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import generate

from harness_adapters.inspect_scorer import GRADING, grading_record, shared_pool
from sebench_tasks import oracle, problems, prompts
from sebench_tasks.errors import OracleError, SourceError
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.inspect_scorers import limits_from, verdict
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition
from zwc.vocabulary import Vocabulary

TASK_VERSION = "2-A"
"""The number rises when results stop being comparable, the letter when parameters or metadata change their form."""


def build(
    source: str,
    condition: str,
    vocabulary: str,
    sandbox: str,
    *,
    limit: int | None,
    workers: int | None,
    sandbox_limits: dict[str, Any] | None,
    check_sandbox: bool,
) -> Task:
    """The task over the problems of `source`. Parameters are those of the tasks in `single.py` and `multi.py`.

    Raises:
        SandboxUnavailable: no sandbox works here; told now, before anything is generated.
        SourceError, VocabularyError: there is no such set of problems or vocabulary.
        ValueError: a parameter has none of its accepted values.
    """
    chosen = _condition(condition)
    source, vocabulary = _from_start(source), _from_start(vocabulary)
    names = Vocabulary.parse(vocabulary)
    pool = shared_pool(sandbox, vocabulary, workers, limits_from(sandbox_limits))
    if check_sandbox:
        pool.check()
    asked = problems.load(source, sandbox=sandbox)
    return Task(
        dataset=_dataset(_first(asked, limit), chosen, names, vocabulary, source),
        solver=generate(),
        scorer=verdict(sandbox=sandbox, vocabulary=vocabulary, workers=workers, sandbox_limits=sandbox_limits),
        version=TASK_VERSION,
        metadata={
            "condition": chosen.value,
            "problems": source,
            "problem_set_hash": problems.content_hash(asked),
            "problem_count": len(asked),
            "prompt_version": prompts.PROMPT_VERSION,
            "vocabulary": names.label,
            "vocabulary_fingerprint": names.fingerprint,
            "sandbox": pool.provenance if check_sandbox else {"sandbox": f"{sandbox} (unchecked)"},
        },
    )


def sample(problem: Problem, condition: Condition, vocabulary: Vocabulary, source: str) -> Sample:
    """One problem as a sample. `source` is text from which `Vocabulary.parse` makes `vocabulary`."""
    return Sample(
        id=problem.id,
        input=prompts.build(problem, condition, vocabulary),
        target=_target(problem, condition, vocabulary),
        metadata={
            "kind": problem.kind,
            "functions": list(problem.functions),
            GRADING: grading_record(grading_request(problem, "", condition), vocabulary, source),
        },
    )


def _dataset(
    chosen: list[Problem], condition: Condition, vocabulary: Vocabulary, vocabulary_source: str, name: str
) -> MemoryDataset:
    samples = [sample(problem, condition, vocabulary, vocabulary_source) for problem in chosen]
    return MemoryDataset(samples, name=name)


def _target(problem: Problem, condition: Condition, vocabulary: Vocabulary) -> str:
    """The solution as code; empty where it cannot be said in the vocabulary, which only the oracle minds."""
    if condition is Condition.NUMPY:
        return problem.solution
    try:
        return oracle.solution(problem, vocabulary)
    except OracleError:
        return ""


def _condition(text: str) -> Condition:
    if text not in list(Condition):
        raise ValueError(f"condition must be one of {', '.join(Condition)}, got {text!r}")
    return Condition(text)


def _first(asked: list[Problem], limit: int | None) -> list[Problem]:
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ValueError(f"limit must be a whole number of 1 or more, got {limit!r}")
    if not asked:
        raise SourceError("the problem source is empty")
    return asked[:limit]


def _from_start(text: str) -> str:
    """Make a path absolute: Inspect runs a task file in the file's folder, users mean the folder they started in."""
    kind, separator, path = text.rpartition(":")
    bare, at, about = path.rpartition("@")
    for folder in (os.environ.get("PWD"), Path.cwd()):
        for name, rest in ((path, ""), (bare, at + about)):
            if folder and name and (found := Path(folder, name)).is_file():
                return f"{kind}{separator}{found.resolve()}{rest}"
    return text

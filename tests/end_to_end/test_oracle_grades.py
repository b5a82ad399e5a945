"""The benchmark's own bounds, on every sandbox: the oracle scores 100%, an answer that does not use the library 0%."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.launchers import Launcher
from sandbox.pool import Pool
from sandbox.records import Outcome
from sebench_tasks import oracle, problems
from sebench_tasks.checking.gradings import lookup_answer
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.prompts import Condition
from zwc.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parents[2]
SEBENCH = [sys.executable, "-c", "from sebench_tasks.cli import app; app()"]


def sebench(*arguments: object) -> None:
    """Run the command line; it must end well."""
    command = [*SEBENCH, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_oracle_passes_everything_through_the_command_line(launcher: Launcher, tmp_path: Path) -> None:
    responses, verdicts = tmp_path / "oracle.jsonl", tmp_path / "verdicts.jsonl"
    sebench("oracle", "--problems", "all", "--output", responses)
    options = ["--sandbox", launcher.name, "--workers", 2, "--output", verdicts]
    sebench("grade", responses, "--problems", "all", *options)
    records = [json.loads(line) for line in verdicts.read_text().splitlines()]
    assert [record["id"] for record in records] == [problem.id for problem in problems.load("all")]
    assert [record for record in records if not record["passed"]] == []


@pytest.mark.parametrize("name", ["seed:1", "seed:2", "seed:3", "official"])
def test_the_oracle_passes_everything_in_every_vocabulary(
    launcher: Launcher, name: str, request: pytest.FixtureRequest
) -> None:
    if name == "official":
        name = f"official:{request.getfixturevalue('official') / 'api_doc.jsonl'}"
    vocabulary = Vocabulary.parse(name)
    asked = problems.load("all")
    requests = [
        grading_request(problem, oracle.answer(problem, vocabulary, Condition.CLOSED), Condition.CLOSED)
        for problem in asked
    ]
    with Pool(launcher, vocabulary, workers=2) as pool:
        verdicts = list(pool.grade_all(requests))
    failed = [(p.id, v.outcome, v.detail) for p, v in zip(asked, verdicts, strict=True) if not v.passed]
    assert failed == []


def test_answers_that_do_not_use_the_library_fail(launcher: Launcher) -> None:
    asked = problems.load("all")
    vocabulary = Vocabulary.default()
    with Pool(launcher, vocabulary, workers=2) as pool:
        for response, outcome in ((empty, Outcome.NO_CODE), (touching, Outcome.ANSWER_INDEPENDENT)):
            requests = [grading_request(p, response(p, vocabulary), Condition.CLOSED) for p in asked]
            outcomes = {p.id: v.outcome for p, v in zip(asked, pool.grade_all(requests), strict=True)}
            assert {key: found for key, found in outcomes.items() if found is not outcome} == {}


def empty(problem: problems.Problem, vocabulary: Vocabulary) -> str:
    """An answer without anything."""
    return ""


def touching(problem: problems.Problem, vocabulary: Vocabulary) -> str:
    """Plain Python that knows every case, and calls the library for nothing."""
    call = f"    {vocabulary.qualified('cumsum')}([1, 2])\n"
    return lookup_answer(problem).replace("    asked = ", f"{call}    asked = ", 1)

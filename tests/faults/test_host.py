"""The host ended, at any moment and by any signal: nothing is left, and what was graded is kept."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from sandbox.connection import ProcessConnection
from sandbox.launchers import Launcher, bwrap
from sandbox.pool import Pool
from sebench_tasks import oracle, problems
from sebench_tasks.prompts import Condition
from tests.conftest import launcher_or_skip
from tests.faults import hosts
from tests.faults.batch import REQUESTS
from tests.faults.leftovers import Leftovers
from zwc.vocabulary import Vocabulary

SEBENCH = [sys.executable, "-c", "from sebench_tasks.cli import app; app()"]
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]
MOST_S = 10.0
SAMPLES, PROBLEMS = 6, 15


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
@pytest.mark.parametrize("after_s", [0.05, 1.0], ids=["at the start", "at work"])
def test_nothing_is_left_of_a_host_that_was_ended(
    launcher: Launcher, number: signal.Signals, after_s: float, leftovers_of_this_test: Leftovers
) -> None:
    process = hosts.start_grading(launcher.name, leftovers_of_this_test, times=1000)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(after_s)
    assert process.poll() is None
    started = time.monotonic()
    printed, _ = hosts.end(process, number)
    assert time.monotonic() - started < MOST_S
    assert process.returncode == -number
    assert printed == ""


def test_a_pool_closed_while_guests_start_leaves_none(launcher: Launcher) -> None:
    for after_s in (0.0, 0.02, 0.1, 0.3):
        with Pool(launcher, workers=2) as pool:
            for request in REQUESTS[:4]:
                pool.submit(request)
            time.sleep(after_s)
        assert pool._guests == set()


@pytest.mark.parametrize("closed_by", ["its owner", "two threads"])
def test_what_a_hub_leaves_in_its_group_ends_with_it(closed_by: str, leftovers_of_this_test: Leftovers) -> None:
    """Bubblewrap that loses its hub while it starts a cell would wait for ever."""
    connection = ProcessConnection(["sh", "-c", "sleep 1000 & kill -KILL $$"], None)
    while not connection._has_ended():
        time.sleep(0.01)
    threads = [threading.Thread(target=connection.close) for _ in range(1 if closed_by == "its owner" else 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert leftovers_of_this_test.found(patience_s=5.0) == {}


def test_a_terminal_does_not_reach_the_trial_of_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted while it makes its namespaces, bubblewrap would leave a child that waits for ever."""
    launcher_or_skip("bwrap")
    group = tmp_path / "group"
    program = tmp_path / "bwrap"
    program.write_text(f'#!/bin/sh\nps -o pgid= $$ >{group}\nexec {bwrap._program()} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    bwrap.BwrapLauncher().check()
    assert int(group.read_text()) != os.getpgrp()


@pytest.fixture
def responses(tmp_path: Path) -> Path:
    """Responses without code, then oracle answers, and so on."""
    vocabulary = Vocabulary.default()
    lines = []
    for sample in range(SAMPLES):
        for problem in problems.load("single_test")[:PROBLEMS]:
            text = oracle.answer(problem, vocabulary, Condition.CLOSED) if sample % 2 else "import zwc\n"
            lines.append(json.dumps({"id": problem.id, "sample": sample, "response": text}) + "\n")
    path = tmp_path / "responses.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def _verdicts(path: Path) -> list[tuple[str, int, str, int]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(line["id"], line["sample"], line["verdict"], line["cases_passed"]) for line in lines]


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_the_grade_command_goes_on_where_it_was_ended(
    launcher: Launcher, number: signal.Signals, responses: Path, tmp_path: Path, leftovers_of_this_test: Leftovers
) -> None:
    output, partial = tmp_path / "verdicts.jsonl", tmp_path / "verdicts.jsonl.partial"
    output.write_text("of an earlier run\n")
    command = [*SEBENCH, "grade", str(responses), "--problems", "single_test", "--sandbox", launcher.name]
    command += ["--output", str(output)]
    process = hosts.start(command, leftovers_of_this_test)
    deadline = time.monotonic() + 60
    while not (partial.exists() and partial.read_text().count("\n") > 5) and time.monotonic() < deadline:
        time.sleep(0.01)
    started = time.monotonic()
    printed, complaints = hosts.end(process, number)
    assert time.monotonic() - started < MOST_S
    assert (output.read_text(), printed) == ("of an earlier run\n", "")
    assert "Traceback" not in complaints
    if number is signal.SIGINT:
        assert process.returncode == 130
        assert f"verdicts are kept in {partial}; the same command goes on" in complaints.replace("\n", " ")
    again = hosts.start(command, leftovers_of_this_test)
    _, said = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert "Going on after" in said
    assert _verdicts(output) == [
        (problem.id, sample, *(("passed", len(problem.cases)) if sample % 2 else ("no_code", 0)))
        for sample in range(SAMPLES)
        for problem in problems.load("single_test")[:PROBLEMS]
    ]
    assert {path.name for path in tmp_path.glob("*verdicts*")} == {"verdicts.jsonl", "verdicts.jsonl.run.json"}

"""Filtering by models that Inspect asks: what they cost, how many requests at a time, faults, interruptions."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelOutput, ModelUsage
from typer.testing import CliRunner

from sandbox.errors import SandboxUnavailable
from sandbox.pool import Pool
from sebench_tasks import build, problems
from sebench_tasks.cli import app
from sebench_tasks.filtering.answers import read
from tests.tasks.scripted_model import SCRIPT

# Inspect's use of its retrying library.
pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter:DeprecationWarning")

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "single_test@mean+sort+median"
IDS = [problem.id for problem in problems.load(SOURCE)]
SLOW = "from tests.tasks.scripted_model import SCRIPT; SCRIPT.delay_s = 0.2; from sebench_tasks.cli import app; app()"


@pytest.fixture(autouse=True)
def script() -> Iterator[None]:
    SCRIPT.reset()
    yield
    SCRIPT.reset()


def filtered(output: Path, *options: object, source: object = SOURCE) -> tuple[int, str]:
    arguments = ["problems", "filter", "--problems", source, "--output", output, "--sandbox", "process", *options]
    result = CliRunner().invoke(app, [*map(str, arguments)])
    return result.exit_code, result.output


def fates(output: Path) -> dict[str, str]:
    lines = (output / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record["fate"] for record in map(json.loads, lines)}


def total(output: Path, name: str = "scripted/m") -> dict[str, Any]:
    return json.loads((output / "filter.json").read_text(encoding="utf-8"))["solvers"][name]


def asked() -> list[str]:
    """Problem ids in the order in which they were asked, of all models; forgotten afterwards."""
    ids = [key for _, key in SCRIPT.calls]
    SCRIPT.calls.clear()
    return ids


def test_tokens_are_counted_and_priced(tmp_path: Path) -> None:
    SCRIPT.usage = ModelUsage(
        input_tokens=60, input_tokens_cache_read=30, input_tokens_cache_write=10, output_tokens=10
    )
    options = ("--solver", "scripted/m", "--solver", "scripted/n", "--price", "scripted/m=1000,2000")
    status, text = filtered(tmp_path, *options)
    assert status == 0
    assert total(tmp_path) == {
        "solved": 3,
        "answers": 3,
        "failed_requests": 0,
        "input_tokens": 300,
        "output_tokens": 30,
        "cost": pytest.approx(0.36),
    }
    assert "0.3600" in text
    assert total(tmp_path, "scripted/n")["cost"] == "unknown"


def test_tokens_that_nobody_counted_are_unknown(tmp_path: Path) -> None:
    SCRIPT.usage = None
    assert filtered(tmp_path, "--solver", "scripted/m", "--price", "scripted/m=1000,2000")[0] == 0
    assert [total(tmp_path)[name] for name in ("input_tokens", "output_tokens", "cost")] == ["unknown"] * 3


def test_requests_at_a_time_are_limited_for_each_model_and_models_are_asked_side_by_side(tmp_path: Path) -> None:
    SCRIPT.delay_s = 0.05
    source = "single_test@mean+sort+median+sum+min+max+prod"
    options = ("--solver", "scripted/busy", "--solver", "scripted/other", "--connections", 3)
    assert filtered(tmp_path, *options, source=source)[0] == 0
    assert SCRIPT.most_at_once == {"busy": 3, "other": 3}
    assert SCRIPT.most_in_all == 6


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (RuntimeError("the provider is away"), "RuntimeError: the provider is away"),
        (ModelOutput(model="m", error="refused"), "refused"),
        (ModelOutput(model="m"), "without a choice"),
        (ModelOutput.from_content("m", "", stop_reason="content_filter"), "content filter"),
    ],
    ids=["exception", "error", "empty", "content filter"],
)
def test_a_fault_of_the_provider_decides_nothing_and_is_asked_again(
    tmp_path: Path, fault: Exception | ModelOutput, message: str
) -> None:
    SCRIPT.faults[IDS[1]] = fault
    status, text = filtered(tmp_path, "--solver", "scripted/m")
    assert status == 3
    assert f"scripted/m: no answer to {IDS[1]}: " in text
    assert message in text
    assert fates(tmp_path) == {IDS[0]: "kept", IDS[1]: "undecided", IDS[2]: "kept"}
    assert total(tmp_path)["failed_requests"] == 1
    SCRIPT.faults.clear()
    asked()
    assert filtered(tmp_path, "--solver", "scripted/m")[0] == 0
    assert asked() == [IDS[1]]
    assert set(fates(tmp_path).values()) == {"kept"}


def test_an_answer_without_text_is_an_answer(tmp_path: Path) -> None:
    SCRIPT.faults[IDS[0]] = ModelOutput.from_content("m", "")
    assert filtered(tmp_path, "--solver", "scripted/m")[0] == 0
    assert fates(tmp_path)[IDS[0]] == "dropped"


def test_a_later_attempt_may_pass(tmp_path: Path) -> None:
    SCRIPT.wrong_attempts[IDS[0]] = 1
    SCRIPT.wrong_attempts[IDS[1]] = 2
    assert filtered(tmp_path, "--solver", "scripted/m", "--attempts", 2, "--connections", 1)[0] == 0
    assert fates(tmp_path) == {IDS[0]: "kept", IDS[1]: "dropped", IDS[2]: "kept"}
    assert total(tmp_path)["answers"] == len(asked()) == 6
    assert filtered(tmp_path, "--solver", "scripted/m", "--attempts", 3, "--connections", 1)[0] == 0
    assert sorted(asked()) == sorted(IDS)
    assert set(fates(tmp_path).values()) == {"kept"}
    assert filtered(tmp_path, "--solver", "scripted/m")[0] == 0
    assert fates(tmp_path) == {IDS[0]: "dropped", IDS[1]: "dropped", IDS[2]: "kept"}
    assert asked() == []


def test_a_missing_attempt_leaves_open_what_the_others_failed(tmp_path: Path) -> None:
    SCRIPT.wrong_attempts[IDS[0]] = 1
    filtered(tmp_path, "--solver", "scripted/m")
    SCRIPT.faults[IDS[0]] = RuntimeError("away")
    assert filtered(tmp_path, "--solver", "scripted/m", "--attempts", 2)[0] == 3
    assert fates(tmp_path)[IDS[0]] == "undecided"


def test_a_reworded_problem_is_asked_again(tmp_path: Path) -> None:
    source = tmp_path / "built.jsonl"
    build.write(problems.load(SOURCE), source)
    filtered(tmp_path / "out", "--solver", "scripted/m", source=source)
    asked()
    first = problems.load(SOURCE)[0].statement
    added = json.dumps(first + " Numbers are in metres.")
    source.write_text(source.read_text().replace(json.dumps(first), added))
    assert filtered(tmp_path / "out", "--solver", "scripted/m", source=source)[0] == 0
    assert asked() == [IDS[0]]
    assert total(tmp_path / "out")["answers"] == 3


def test_a_killed_run_loses_no_answer(tmp_path: Path) -> None:
    source = "single_test@mean+sort+median+sum+min+max+prod+std+var+unique"
    ids = {problem.id for problem in problems.load(source)}
    path = tmp_path / "answers" / "scripted%2Fm.jsonl"
    options = ["--problems", source, "--output", str(tmp_path), "--sandbox", "process", "--solver", "scripted/m"]
    command = [sys.executable, "-c", SLOW, "problems", "filter", *options, "--connections", "1"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (path.exists() and path.read_text().count("\n") >= 2):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    kept = {answer.id for answer in read(path)}
    assert 2 <= len(kept) < len(ids)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "cut off, mid ä'[:-1])
    assert filtered(tmp_path, "--solver", "scripted/m", source=source)[0] == 0
    assert set(asked()) == ids - kept
    assert {answer.id for answer in read(path)} == ids


def test_an_interrupt_says_where_answers_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sebench_tasks.filtering.asking.ask", interrupted)
    status, text = filtered(tmp_path, "--solver", "scripted/m")
    assert status != 0
    assert f"Answers are kept in {tmp_path / 'answers'}" in text


def test_names_that_are_no_file_names_have_a_file_each(tmp_path: Path) -> None:
    names = ("scripted/a/b", "scripted/a--b", "scripted/../../b")
    assert filtered(tmp_path, *(option for name in names for option in ("--solver", name)))[0] == 0
    assert len(list((tmp_path / "answers").iterdir())) == 3


def test_nobody_is_asked_if_one_solver_or_the_sandbox_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, text = filtered(tmp_path, "--solver", "scripted/m", "--solver", "nothing/x")
    assert status == 2
    assert "no solver 'nothing/x'" in text
    monkeypatch.setattr(Pool, "check", unavailable)
    assert filtered(tmp_path, "--solver", "scripted/m")[0] == 3
    assert asked() == []


def unavailable(_: Pool) -> None:
    raise SandboxUnavailable("no sandbox here")


def test_without_inspect_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    status, text = filtered(tmp_path, "--solver", "scripted/m")
    assert status == 2
    assert "pip install 'sebench-tasks[inspect]'" in text

"""`sebench gate` and `sebench report` on what the real commands write: whole, partial, damaged and foreign results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("lm_eval", reason="needs the extra `lm-eval`")
pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

PROBLEMS = "single_test@mean+sort+median"
SEBENCH = [sys.executable, "-c", "from sebench_tasks.cli import app; app()"]
ENVIRONMENT = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = list(map(str, words))
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False)


def gate(*words: object) -> subprocess.CompletedProcess[str]:
    return run(*SEBENCH, "gate", *words)


@pytest.fixture(scope="module")
def lm_eval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _lm_eval(tmp_path_factory.mktemp("lm-eval"))


def _lm_eval(folder: Path, *options: object) -> Path:
    metadata = json.dumps({"sebench_problems": PROBLEMS, "sebench_sandbox": "process"})
    done = run(
        *(sys.executable, "-m", "lm_eval", "--model", "sebench_oracle", "--tasks", "sebench_single"),
        *("--metadata", metadata, "--output_path", folder, "--log_samples", *options),
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def inspect(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _inspect(tmp_path_factory.mktemp("inspect"))


def _inspect(folder: Path, *options: object) -> Path:
    done = run(
        *(sys.executable, "-m", "inspect_ai", "eval", "sebench_tasks/sebench_single", "--model", "none/none"),
        *("--solver", "sebench_tasks/oracle", "-T", f"problems={PROBLEMS}", "-T", "sandbox=process"),
        *("--log-dir", folder, "--display", "none", *options),
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graded")
    answers, verdicts = folder / "answers.jsonl", folder / "verdicts.jsonl"
    for command in (
        ("oracle", "--problems", PROBLEMS, "--output", answers),
        ("grade", answers, "--problems", PROBLEMS, "--output", verdicts, "--sandbox", "process"),
    ):
        done = run(*SEBENCH, *command)
        assert done.returncode == 0, done.stderr
    return verdicts


def test_whole_results_of_every_program_pass(lm_eval: Path, inspect: Path, graded: Path, tmp_path: Path) -> None:
    for results in (lm_eval, inspect, graded):
        done = gate(results, "--min", "single=0.99", "--summary", tmp_path / "s.md", "--junit", tmp_path / "j.xml")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "100.0%" in done.stdout
        assert ElementTree.parse(tmp_path / "j.xml").getroot().get("failures") == "0"
    assert (tmp_path / "s.md").read_text().count("| check |") == 3


def test_results_of_different_programs_compare(lm_eval: Path, inspect: Path, graded: Path) -> None:
    for first, second in ((lm_eval, inspect), (inspect, graded), (graded, lm_eval)):
        done = gate(first, "--baseline", second, "--max-drop", "0")
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_report_on_all_of_them(lm_eval: Path, inspect: Path, graded: Path, tmp_path: Path) -> None:
    places = ("--output", tmp_path / "r.md", "--json", tmp_path / "r.json", "--csv", tmp_path / "tables")
    done = run(*SEBENCH, "report", lm_eval, inspect, graded, *places)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "r.md").read_text()
    for name in ("sebench_oracle", "none/none", "verdicts"):
        assert f"| {name} | single | 100.0% |" in text
        assert f"| {name} | 3 | 3: mean, median, sort | 0 |" in text
    assert text.count("+0.0%") >= 3
    assert "Closed-SFT | 39.6% | 11.6%" in text
    made = json.loads((tmp_path / "r.json").read_text())
    assert {row["passed"] for row in made["verdicts"]} == {1.0}
    assert (tmp_path / "tables" / "recall.csv").read_text().startswith("checkpoint,function,problems,")


def test_partial_runs_are_not_judged(tmp_path: Path) -> None:
    for results in (_lm_eval(tmp_path / "l", "--limit", 2), _inspect(tmp_path / "i", "--limit", 2)):
        done = gate(results, "--min", "single=0.1")
        assert done.returncode == 2
        assert "2 of 3 problems were graded" in done.stdout


def test_a_low_score_fails(graded: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.jsonl"
    text = graded.read_text().replace('"verdict": "passed", "passed": true', '"verdict": "no_code", "passed": false')
    wrong.write_text(text)
    (tmp_path / "wrong.jsonl.run.json").write_text(Path(f"{graded}.run.json").read_text())
    assert gate(wrong, "--min", "single=0.1").returncode == 1
    done = gate(wrong, "--baseline", graded, "--max-drop", "0.05")
    assert done.returncode == 1
    assert "3 lost" in done.stdout


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"configs": {}}'])
def test_damaged_results_are_not_judged(damage: str, lm_eval: Path, inspect: Path, tmp_path: Path) -> None:
    [results] = lm_eval.rglob("results_*.json")
    damaged = tmp_path / results.name
    damaged.write_text(damage)
    done = gate(damaged, "--min", "single=0.1")
    assert done.returncode == 2
    assert str(damaged) in done.stderr
    [log] = inspect.glob("*.eval")
    cut = tmp_path / "cut.eval"
    cut.write_bytes(log.read_bytes()[:300] + damage.encode())
    done = gate(cut, "--min", "single=0.1")
    assert done.returncode == 2
    assert "no readable log" in done.stderr


def test_results_without_samples_say_what_to_do(lm_eval: Path, tmp_path: Path) -> None:
    [results] = lm_eval.rglob("results_*.json")
    (tmp_path / results.name).write_text(results.read_text())
    done = gate(tmp_path, "--min", "single=0.1")
    assert done.returncode == 2
    assert "--log_samples" in done.stderr


def test_other_problems_are_not_compared(graded: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(graded.read_text())
    record = json.loads(Path(f"{graded}.run.json").read_text()) | {"problem_set_hash": "0" * 12}
    (tmp_path / "other.jsonl.run.json").write_text(json.dumps(record))
    done = gate(graded, "--baseline", other, "--max-drop", "0.5")
    assert done.returncode == 2
    assert "not comparable: problem set hash 000000000000" in done.stdout
    assert gate(graded, "--baseline", other, "--max-drop", "0.5", "--allow-mismatch").returncode == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to judge"),
        (("--min", "single"), "NAME=RATE"),
        (("--min", "single=35"), "from 0 to 1"),
        (("--max-drop", "0.1"), "belong together"),
        (("--baseline", "/nowhere", "--max-drop", "0.1"), "no file or folder at /nowhere"),
    ],
)
def test_wrong_arguments_say_what_to_do(graded: Path, words: tuple[str, ...], message: str) -> None:
    done = gate(graded, *words)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_folder_without_results_is_named(tmp_path: Path) -> None:
    done = gate(tmp_path, "--min", "single=0.1")
    assert done.returncode == 2
    assert f"no results at {tmp_path}" in done.stderr

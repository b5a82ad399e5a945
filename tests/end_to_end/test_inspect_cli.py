"""The real `inspect` command: a real checkpoint, the oracle, epochs, saved logs. Offline, on the CPU."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from inspect_ai.log import EvalLog, read_eval_log

ROOT = Path(__file__).resolve().parents[2]
INSPECT = Path(sys.executable).with_name("inspect")
MULTI_FILE = f"{ROOT / 'sebench_tasks' / 'multi.py'}@sebench_multi"
ORACLE_FILE = f"{ROOT / 'sebench_tasks' / 'inspect_solvers.py'}@oracle"
SCORER_FILE = f"{ROOT / 'sebench_tasks' / 'inspect_scorers.py'}@verdict"
ORACLE = ["--model", "none/none", "--solver", ORACLE_FILE]
installed = pytest.mark.skipif(
    "sebench_tasks" not in entry_points(group="inspect_ai").names,
    reason="the project is not installed: pip install -e '.[inspect]'",
)


def inspect(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in `folder`, with nothing of the project on Python's path."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("INSPECT_", "PYTHONPATH"))}
    environment = keep | {"PWD": str(folder), "HF_HUB_OFFLINE": "1", "INSPECT_DISPLAY": "plain"}
    return subprocess.run(
        [str(INSPECT), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def evaluated(folder: Path, *arguments: str) -> EvalLog:
    """Run `inspect eval` and read the one log that it leaves."""
    result = inspect(folder, "eval", *arguments, "-T", "sandbox=process", "--log-dir", str(folder / "logs"))
    assert result.returncode == 0, result.stdout + result.stderr
    (log,) = (folder / "logs").glob("*.eval")
    return read_eval_log(str(log))


def values(log: EvalLog) -> dict[str, float]:
    """Metric values as `name/reducer`, or `name` where nothing is reduced."""
    assert log.results is not None
    return {
        f"{name}/{found.reducer}" if found.reducer else name: metric.value
        for found in log.results.scores
        for name, metric in found.metrics.items()
    }


@installed
def test_a_checkpoint_is_evaluated_from_anywhere(tiny_checkpoint: Path, tmp_path: Path) -> None:
    log = evaluated(
        tmp_path,
        "sebench_tasks/sebench_multi",
        *("--model", "hf/tiny", "-M", f"model_path={tiny_checkpoint}", "-M", "device=cpu"),
        *("--max-tokens", "16", "--limit", "2", "--epochs", "2", "--epochs-reducer", "mean,pass_at_2"),
    )
    _check_checkpoint_run(log)


def test_a_checkpoint_is_evaluated_from_a_task_file(tiny_checkpoint: Path, tmp_path: Path) -> None:
    log = evaluated(
        tmp_path,
        MULTI_FILE,
        *("--model", "hf/tiny", "-M", f"model_path={tiny_checkpoint}", "-M", "device=cpu"),
        *("--max-tokens", "16", "--limit", "2", "--epochs", "2", "--epochs-reducer", "mean,pass_at_2"),
    )
    _check_checkpoint_run(log)


def _check_checkpoint_run(log: EvalLog) -> None:
    assert log.status == "success"
    assert log.results is not None
    assert (log.results.total_samples, log.results.completed_samples) == (4, 4)
    found = values(log)
    assert found["accuracy/mean"] == 0.0
    assert found["accuracy/pass_at_2"] == 0.0
    assert found["no_code"] + found["syntax_error"] == 1.0
    assert all(sample.output.usage is not None for sample in log.samples or [])


def test_a_task_file_of_a_checkout_runs_from_its_folder(tmp_path: Path) -> None:
    """The literal command of the README."""
    result = inspect(
        ROOT,
        *(
            "eval",
            "sebench_tasks/multi.py",
            "--model",
            "none/none",
            "--solver",
            "sebench_tasks/inspect_solvers.py@oracle",
        ),
        *("--limit", "2", "-T", "sandbox=process", "--log-dir", str(tmp_path)),
    )
    assert result.returncode == 0, result.stdout + result.stderr
    (log,) = tmp_path.glob("*.eval")
    assert values(read_eval_log(str(log)))["accuracy/mean"] == 1.0


@installed
@pytest.mark.parametrize("task", ["sebench_single", "sebench_multi"])
def test_the_oracle_scores_everything(task: str, tmp_path: Path) -> None:
    oracle = ["--model", "none/none", "--solver", "sebench_tasks/oracle"]
    log = evaluated(tmp_path, f"sebench_tasks/{task}", *oracle)
    assert log.status == "success"
    failed = [
        (sample.id, score.reason)
        for sample in log.samples or []
        for score in (sample.scores or {}).values()
        if score.value != "C"
    ]
    assert failed == []


@pytest.mark.parametrize("condition", ["open", "numpy"])
def test_the_oracle_passes_in_every_condition(condition: str, tmp_path: Path) -> None:
    log = evaluated(
        tmp_path, MULTI_FILE, *ORACLE, "-T", f"condition={condition}", "-T", "vocabulary=seed:5", "--limit", "3"
    )
    assert values(log)["accuracy/mean"] == 1.0


def test_a_saved_log_is_scored_again_from_another_folder(tmp_path: Path) -> None:
    first = evaluated(tmp_path, MULTI_FILE, *ORACLE, "--limit", "2", "-T", "vocabulary=seed:5")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    result = inspect(
        elsewhere,
        *("score", first.location, "--scorer", SCORER_FILE, "-S", "sandbox=process"),
        *("--action", "overwrite", "--output-file", "again.eval"),
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert values(read_eval_log(str(elsewhere / "again.eval"))) == values(first)


@installed
def test_a_saved_log_is_scored_again_by_the_name_of_the_scorer(tmp_path: Path) -> None:
    first = evaluated(tmp_path, MULTI_FILE, *ORACLE, "--limit", "2")
    result = inspect(
        tmp_path,
        *("score", first.location, "--scorer", "sebench_tasks/verdict", "-S", "sandbox=process"),
        *("--action", "overwrite", "--output-file", "again.eval"),
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert values(read_eval_log(str(tmp_path / "again.eval"))) == values(first)


def test_a_missing_sandbox_ends_the_command_before_generation(tmp_path: Path) -> None:
    result = inspect(
        tmp_path, "eval", MULTI_FILE, *ORACLE, "-T", "sandbox=none-such", "--log-dir", str(tmp_path / "logs")
    )
    assert result.returncode == 1
    assert "unknown sandbox 'none-such'" in result.stdout + result.stderr
    assert not list(tmp_path.glob("logs/*.eval"))

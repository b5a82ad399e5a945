"""From official files to scores, by the real commands: import, then the oracle through both harnesses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.conftest import launcher_or_skip
from tests.made_up_official import DIAGONAL, GAPS, MIDDLE, write_api_file, write_rows
from zwc.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "sebench_tasks" / "lm_eval_tasks"
LM_EVAL = Path(sys.executable).with_name("lm_eval")
INSPECT = Path(sys.executable).with_name("inspect")
TASK_FILE = ROOT / "sebench_tasks" / "official_tasks.py"

needs_lm_eval = pytest.mark.skipif(
    "sebench_oracle" not in entry_points(group="lm_eval.models").names or not LM_EVAL.is_file(),
    reason="needs the project installed with lm-eval: pip install -e '.[lm-eval]'",
)
needs_inspect = pytest.mark.skipif(
    "sebench_tasks" not in entry_points(group="inspect_ai").names or not INSPECT.is_file(),
    reason="needs the project installed with Inspect: pip install -e '.[inspect]'",
)


@dataclass(frozen=True)
class Imported:
    """An import, the sandbox to use with it, and how many of its first five problems of each kind there are."""

    folder: Path
    sandbox: str
    counts: dict[str, int]
    fingerprint: str


def run(folder: Path, *command: object, official: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in `folder`, without a network."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("INSPECT_")},
        "SEBENCH_OFFICIAL": str(official or folder / "nothing"),
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(folder / "hf"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "INSPECT_DISPLAY": "plain",
        "PWD": str(folder),
    }
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False)


def import_files(folder: Path, sandbox: str, *files: object) -> str:
    """Import into a folder; the fingerprint of the vocabulary."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from sebench_tasks.cli import app; app()"
    command = [sys.executable, "-c", code, "official", "import", *files, "--sandbox", sandbox]
    done = run(folder, *command, official=folder / "imported")
    assert done.returncode == 0, done.stderr
    report = json.loads((folder / "imported" / "import.json").read_text(encoding="utf-8"))
    return str(report["vocabulary"]["fingerprint"])


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """An import of made-up files, which every machine has."""
    folder = tmp_path_factory.mktemp("made-up")
    files = (
        *("--api-doc", write_api_file(folder / "api_doc.jsonl", Vocabulary.from_seed(33))),
        *("--single", write_rows(folder / "single_test.jsonl", MIDDLE, DIAGONAL)),
        *("--multi", write_rows(folder / "multiple_test.jsonl", GAPS)),
    )
    fingerprint = import_files(folder, "process", *files)
    assert fingerprint == Vocabulary.from_seed(33).fingerprint
    return Imported(folder / "imported", "process", {"single": 2, "multi": 1}, fingerprint)


@pytest.fixture(scope="module")
def genuine(official: Path, tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """An import of the part of the official data that lies beside the checkout."""
    sandbox = launcher_or_skip("bwrap").name
    folder = tmp_path_factory.mktemp("genuine")
    files = ("--api-doc", official / "api_doc.jsonl", "--single", official / "single_test_part.jsonl")
    fingerprint = import_files(folder, sandbox, *files)
    return Imported(folder / "imported", sandbox, {"single": 5}, fingerprint)


@pytest.fixture(params=["made_up", "genuine"])
def imported(request: pytest.FixtureRequest) -> Imported:
    """Both imports; the official data is not everywhere."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Imported)
    return found


@needs_lm_eval
def test_the_oracle_scores_one_in_lm_eval(imported: Imported, tmp_path: Path) -> None:
    tasks = ",".join(f"sebench_official_{kind}" for kind in imported.counts)
    done = run(
        tmp_path,
        *(LM_EVAL, "--include_path", TASKS, "--model", "sebench_oracle", "--tasks", tasks, "--limit", 5),
        *("--metadata", f"sebench_sandbox={imported.sandbox}", "--output_path", tmp_path / "out"),
        official=imported.folder,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    (path,) = (tmp_path / "out").rglob("results_*.json")
    results = json.loads(path.read_text(encoding="utf-8"))
    for kind, count in imported.counts.items():
        scores = results["results"][f"sebench_official_{kind}"]
        assert (scores["pass@1,none"], scores["verdicts,none"]) == (1.0, count)
        carried = results["configs"][f"sebench_official_{kind}"]["metadata"]["sebench"]
        assert carried["vocabulary_fingerprint"] == imported.fingerprint
        assert carried["problems"] == f"official_{kind}"


@needs_inspect
def test_the_oracle_scores_one_in_inspect(imported: Imported, tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log

    tasks = {"single": "sebench_tasks/sebench_official_single", "multi": f"{TASK_FILE}@sebench_official_multi"}
    for kind, count in imported.counts.items():
        done = run(
            tmp_path,
            *(INSPECT, "eval", tasks[kind], "--model", "none/none", "--solver", "sebench_tasks/oracle"),
            *("--limit", 5, "-T", f"sandbox={imported.sandbox}", "--log-dir", tmp_path / kind),
            official=imported.folder,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (path,) = (tmp_path / kind).glob("*.eval")
        log = read_eval_log(str(path))
        assert log.status == "success"
        assert [score.value for sample in log.samples or [] for score in (sample.scores or {}).values()] == (
            ["C"] * count
        )
        assert (log.eval.metadata or {})["vocabulary_fingerprint"] == imported.fingerprint


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            (LM_EVAL, "--include_path", TASKS, "--model", "sebench_oracle", "--tasks", "sebench_official"),
            marks=needs_lm_eval,
            id="lm_eval",
        ),
        pytest.param(
            (INSPECT, "eval", "sebench_tasks/sebench_official_multi", "--model", "none/none"),
            marks=needs_inspect,
            id="inspect",
        ),
    ],
)
def test_without_an_import_both_harnesses_name_the_command(command: tuple[object, ...], tmp_path: Path) -> None:
    done = run(tmp_path, *command)
    assert done.returncode != 0
    assert "run `sebench official import` first" in done.stdout + done.stderr

"""A new library from a seed that nobody used before: its file serves every part as the default vocabulary does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sebench_tasks import problems, prompts
from tests.conftest import launcher_or_skip
from zwc.library import open_library
from zwc.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "sebench_tasks" / "lm_eval_tasks"
SEED = 99
SOME = 3


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Run a program of this environment in an empty folder; it must end well. What it prints."""
    folder = tmp_path_factory.mktemp("elsewhere")
    offline = {
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "XDG_CACHE_HOME": str(folder),
        "PYTHONPATH": str(ROOT),
    }

    def run_program(*command: object) -> str:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            env=os.environ | offline,
            capture_output=True,
            text=True,
            timeout=500,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run_program


@pytest.fixture(scope="module")
def sebench(run: Callable[..., str]) -> Callable[..., str]:
    """Run the project's own command."""
    return lambda *words: run(sys.executable, "-c", "from sebench_tasks.cli import app; app()", *words)


@pytest.fixture(scope="module")
def file(sebench: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The vocabulary's file, as a user makes it."""
    path = tmp_path_factory.mktemp("vocabulary") / "v.json"
    assert Vocabulary.from_seed(SEED).fingerprint in sebench("vocabulary", "new", "--seed", SEED, "--output", path)
    return path


@pytest.fixture
def vocabulary(file: Path) -> Vocabulary:
    """What the file holds."""
    return Vocabulary.parse(str(file))


@pytest.fixture
def bwrap() -> str:
    """The name of a sandbox that isolates."""
    return launcher_or_skip("bwrap").name


@pytest.fixture
def problem_file(tmp_path: Path) -> Path:
    """The first problems with one function, then those with several."""
    chosen = [*problems.load("single_test")[:SOME], *problems.load("multi_test")[:SOME]]
    path = tmp_path / "problems.jsonl"
    path.write_text("".join(json.dumps(problems.to_record(problem)) + "\n" for problem in chosen), encoding="utf-8")
    return path


def test_client_and_kernel_know_its_names_and_no_others(vocabulary: Vocabulary) -> None:
    library = open_library(vocabulary)
    assert getattr(library, vocabulary.names["mean"])([1, 2, 6]) == 3.0
    assert getattr(library.rfx, vocabulary.names["linalg.det"])([[2, 0], [0, 3]]) == pytest.approx(6.0)
    for name in ("kocito", "mean"):
        with pytest.raises(AttributeError):
            getattr(library, name)


def test_reference_and_open_prompt_speak_its_names(
    sebench: Callable[..., str], file: Path, vocabulary: Vocabulary
) -> None:
    entry = sebench("reference", "mean", "--vocabulary", file)
    assert entry.startswith(f"{vocabulary.qualified('mean')}(a, axis=None")
    others = set(Vocabulary.default().names.values()) - set(vocabulary.names.values())
    for problem in problems.load("multi_test")[:SOME]:
        prompt = prompts.build(problem, prompts.Condition.OPEN, vocabulary)
        assert all(vocabulary.qualified(function_id) in prompt for function_id in problem.functions)
        assert not any(f"zwc.{name}" in prompt for name in others)


def test_the_oracle_passes_and_verdicts_carry_the_fingerprint(
    sebench: Callable[..., str], file: Path, vocabulary: Vocabulary, problem_file: Path, bwrap: str, tmp_path: Path
) -> None:
    graded = grade(sebench, problem_file, tmp_path / "own", bwrap, spoken=file, asked=file)
    assert graded["verdicts"] == ["passed"] * 2 * SOME
    assert graded["run"]["vocabulary_fingerprint"] == vocabulary.fingerprint


def test_answers_in_the_default_vocabulary_name_unknown_functions(
    sebench: Callable[..., str], file: Path, problem_file: Path, bwrap: str, tmp_path: Path
) -> None:
    graded = grade(sebench, problem_file, tmp_path / "other", bwrap, spoken="default", asked=file)
    assert graded["verdicts"] == ["unknown_function"] * 2 * SOME


def grade(
    sebench: Callable[..., str], asked_problems: Path, stem: Path, sandbox: str, *, spoken: Any, asked: Any
) -> Any:
    """Verdicts of the oracle's answers, and the description of the run."""
    responses, verdicts = stem.with_suffix(".responses.jsonl"), stem.with_suffix(".jsonl")
    sebench("oracle", "--problems", asked_problems, "--vocabulary", spoken, "--output", responses)
    options = ("--vocabulary", asked, "--sandbox", sandbox, "--workers", 1, "--output", verdicts)
    sebench("grade", responses, "--problems", asked_problems, *options)
    described = json.loads(Path(f"{verdicts}.run.json").read_text(encoding="utf-8"))
    lines = verdicts.read_text(encoding="utf-8").splitlines()
    return {"verdicts": [json.loads(line)["verdict"] for line in lines], "run": described}


def test_lm_eval_tasks_take_it(
    run: Callable[..., str], file: Path, vocabulary: Vocabulary, bwrap: str, tmp_path: Path
) -> None:
    pytest.importorskip("lm_eval.api", reason="needs the extra `lm-eval`")
    run(
        Path(sys.executable).with_name("lm_eval"),
        *("--model", "sebench_oracle", "--limit", SOME, "--output_path", tmp_path / "out"),
        *("--tasks", f"{TASKS}/sebench_single.yaml,{TASKS}/sebench_multi_open.yaml"),
        *("--metadata", f"sebench_vocabulary={file},sebench_sandbox={bwrap}"),
    )
    (path,) = (tmp_path / "out").rglob("results_*.json")
    results = json.loads(path.read_text(encoding="utf-8"))
    for task in ("sebench_single", "sebench_multi_open"):
        assert results["results"][task]["pass@1,none"] == 1.0
        carried = results["configs"][task]["metadata"]["sebench"]
        assert (carried["vocabulary"], carried["vocabulary_fingerprint"]) == (f"seed:{SEED}", vocabulary.fingerprint)


def test_inspect_tasks_take_it(
    run: Callable[..., str], file: Path, vocabulary: Vocabulary, bwrap: str, tmp_path: Path
) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")
    from inspect_ai.log import read_eval_log

    run(
        *(Path(sys.executable).with_name("inspect"), "eval", f"{ROOT}/sebench_tasks/multi.py@sebench_multi"),
        *("--model", "none/none", "--solver", f"{ROOT}/sebench_tasks/inspect_solvers.py@oracle", "--limit", SOME),
        *("-T", f"vocabulary={file}", "-T", f"sandbox={bwrap}", "-T", "condition=open"),
        *("--display", "plain", "--log-dir", tmp_path / "logs"),
    )
    (path,) = (tmp_path / "logs").glob("*.eval")
    log = read_eval_log(str(path))
    assert log.results is not None
    assert log.results.scores[0].metrics["accuracy"].value == 1.0
    assert log.eval.metadata is not None
    assert log.eval.metadata["vocabulary_fingerprint"] == vocabulary.fingerprint

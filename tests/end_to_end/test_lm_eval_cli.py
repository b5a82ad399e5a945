"""The real `lm_eval` command on a real checkpoint, offline."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from sandbox.launchers import bwrap
from tests.conftest import launcher_or_skip
from tests.guests import descendants

lm_eval = pytest.importorskip("lm_eval.api")

ROOT = Path(__file__).parents[2]
TASKS = ROOT / "sebench_tasks" / "lm_eval_tasks"
OVERLAY = Path(lm_eval.__file__).parents[1] / "tasks" / "sebench"
COMMAND = Path(sys.executable).with_name("lm_eval")

needs_overlay = pytest.mark.skipif(
    not OVERLAY.is_dir(), reason="the package is not installed beside lm_eval: `pip install -e .` places the task files"
)


def _lm_eval(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run the command in `folder`; without an installed overlay, from the checkout by `--include_path`."""
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(folder / "hf"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    found = [] if OVERLAY.is_dir() else ["--include_path", str(TASKS)]
    if not OVERLAY.is_dir():
        environment["PYTHONPATH"] = str(ROOT)
    command = [str(COMMAND), *map(str, words), *found]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


def _run(folder: Path, *words: object) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]], str]:
    """Results, samples by task, and standard error of a run that must succeed."""
    run = _lm_eval(folder, *words, "--output_path", folder / "out", "--log_samples")
    assert run.returncode == 0, run.stderr[-4000:]
    (results,) = (folder / "out").rglob("results_*.json")
    samples = {
        path.name.removeprefix("samples_").rpartition("_")[0]: [
            json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()
        ]
        for path in (folder / "out").rglob("samples_*.jsonl")
    }
    return json.loads(results.read_text(encoding="utf-8")), samples, run.stderr


def _hf(checkpoint: Path) -> tuple[object, ...]:
    return ("--model", "hf", "--model_args", f"pretrained={checkpoint}", "--device", "cpu", "--batch_size", "4")


class SandboxBreaker:
    """Ends bubblewrap's guests once the responses are on disk and grading has begun, and lets it start no more."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "programs"
        self.broke = False
        self._spools = folder / "cache" / "sebench" / "spool"
        self._works = folder / "works"
        self._thread = threading.Thread(target=self._break)
        self.programs.mkdir()
        self._works.touch()
        program = self.programs / "bwrap"
        program.write_text(f'#!/bin/sh\n[ -e {self._works} ] && exec {bwrap._program()} "$@"\nexit 1\n')
        program.chmod(0o755)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._works.touch()

    def _break(self) -> None:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and not self.broke:
            time.sleep(0.02)
            hubs = self._hubs() if list(self._spools.glob("*.jsonl")) else []
            if hubs:
                self._works.unlink()
            for hub in hubs:
                os.kill(hub, signal.SIGKILL)
                self.broke = True

    def _hubs(self) -> list[int]:
        return [pid for pid in descendants(os.getpid()) if b"sandbox.guest.hub" in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_checkpoint_is_evaluated_on_both_tasks(tiny_checkpoint: Path, tmp_path: Path) -> None:
    results, samples, _ = _run(
        tmp_path,
        *_hf(tiny_checkpoint),
        *("--tasks", "sebench_single,sebench_multi", "--limit", 3, "--gen_kwargs", "max_gen_toks=16"),
        *("--metadata", "sebench_sandbox=process"),
    )
    assert set(results["results"]) == set(samples) == {"sebench_single", "sebench_multi"}
    for task, scores in results["results"].items():
        assert scores["pass@1,none"] == 0.0
        assert scores["verdicts,none"] == scores["sample_len"] == 3
        carried = results["configs"][task]["metadata"]["sebench"]
        assert carried["sandbox"] == "process"
        assert len(carried["problem_set_hash"]) == 12
        for sample in samples[task]:
            (verdict,) = sample["verdicts"]
            assert verdict["passed"] is False
            assert sample["filtered_resps"] == [[verdict["code"]]]


def test_several_samples_with_a_chat_template(tiny_checkpoint: Path, tmp_path: Path) -> None:
    results, samples, log = _run(
        tmp_path,
        *_hf(tiny_checkpoint),
        *("--tasks", "sebench_single_open", "--limit", 2, "--apply_chat_template"),
        *("--gen_kwargs", "do_sample=True,temperature=1.0,max_gen_toks=16"),
        *("--metadata", "sebench_n=2,sebench_sandbox=process,sebench_vocabulary=seed:5"),
    )
    scores = results["results"]["sebench_single_open"]
    assert {"avg@2,none", "pass@1,none", "pass@2,none", "pass@2_stderr,none"} <= set(scores)
    assert scores["verdicts,none"] == 4
    for sample in samples["sebench_single_open"]:
        first, second = sample["resps"][0]
        assert first != second
        context = sample["arguments"]["gen_args_0"]["arg_0"]
        assert context.startswith("<|user|>\n")
        assert context.endswith("<|assistant|>\n")
    assert "draws the same sample" not in log


def test_generate_now_and_grade_later_from_the_cache(tiny_checkpoint: Path, tmp_path: Path) -> None:
    words = (
        *_hf(tiny_checkpoint),
        *("--tasks", "sebench_multi", "--limit", 2, "--gen_kwargs", "max_gen_toks=16"),
        *("--use_cache", tmp_path / "responses"),
    )
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    results, generated, _ = _run(
        tmp_path / "first", *words, "--predict_only", "--metadata", "sebench_sandbox=unavailable"
    )
    assert "pass@1,none" not in results["results"]["sebench_multi"]
    results, graded, log = _run(tmp_path / "second", *words, "--metadata", "sebench_sandbox=process")
    assert "Cached requests: 2, Requests remaining: 0" in log
    assert results["results"]["sebench_multi"]["verdicts,none"] == 2
    assert [s["resps"] for s in generated["sebench_multi"]] == [s["resps"] for s in graded["sebench_multi"]]


def test_the_oracle_scores_one_and_its_spool_can_be_graded_again(tmp_path: Path) -> None:
    results, _, _ = _run(
        tmp_path,
        *("--model", "sebench_oracle", "--limit", 4),
        *("--tasks", f"{TASKS}/sebench_single.yaml,{TASKS}/sebench_multi_numpy.yaml"),
        *("--metadata", "sebench_sandbox=process,sebench_vocabulary=seed:11"),
    )
    assert results["results"]["sebench_single"]["pass@1,none"] == 1.0
    assert results["results"]["sebench_multi_numpy"]["pass@1,none"] == 1.0
    (responses,) = (tmp_path / "cache" / "sebench" / "spool").glob("sebench_single-*.jsonl")
    command = [sys.executable, "-c", "from sebench_tasks.cli import app; app()", "grade", str(responses)]
    command += ["--problems", "single_test", "--vocabulary", "seed:11", "--condition", "closed"]
    command += ["--sandbox", "process", "--output", str(tmp_path / "verdicts.jsonl")]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    verdicts = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [verdict["passed"] for verdict in verdicts] == [True] * 4


@needs_overlay
def test_the_oracle_is_known_by_name_and_the_group_lists_both_tasks(tmp_path: Path) -> None:
    results, _, _ = _run(
        tmp_path,
        *("--model", "sebench_oracle", "--tasks", "sebench", "--limit", 2),
        *("--metadata", "sebench_sandbox=process"),
    )
    assert results["group_subtasks"]["sebench"] == ["sebench_single", "sebench_multi"]
    assert all(results["results"][task]["pass@1,none"] == 1.0 for task in ("sebench_single", "sebench_multi"))


def test_an_unavailable_sandbox_ends_the_command_before_generation(tmp_path: Path) -> None:
    run = _lm_eval(
        tmp_path,
        *("--model", "dummy", "--tasks", "sebench_single", "--limit", 2),
        *("--metadata", "sebench_sandbox=unavailable"),
    )
    assert run.returncode != 0
    assert "unknown sandbox 'unavailable'" in run.stderr
    assert "Running generate_until requests" not in run.stderr


def test_a_sandbox_that_fails_while_grading_gives_no_number_and_loses_no_response(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher_or_skip("bwrap")
    breaker = SandboxBreaker(tmp_path)
    monkeypatch.setenv("PATH", f"{breaker.programs}:{os.environ['PATH']}")
    with breaker:
        results, samples, log = _run(
            tmp_path,
            *("--model", "sebench_oracle", "--tasks", "sebench_single", "--limit", 40),
            *("--metadata", "sebench_sandbox=bwrap,sebench_workers=1"),
        )
    assert breaker.broke
    scores = results["results"]["sebench_single"]
    assert scores["verdicts,none"] < 40
    assert all(math.isnan(value) for name, value in scores.items() if name.startswith(("pass@", "avg@", "verdict_")))
    assert all(sample["resps"][0][0] for sample in samples["sebench_single"])
    (said,) = re.findall(r"grading stopped after (\d+) of 40 responses", log)
    assert int(said) == scores["verdicts,none"]
    (command,) = re.findall(r"grade them with: sebench (grade .*)", log)
    command = [sys.executable, "-c", "from sebench_tasks.cli import app; app()", *shlex.split(command)]
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert again.returncode == 0, again.stderr
    assert re.search(r"passed\W+40\W+100.0%", again.stdout)

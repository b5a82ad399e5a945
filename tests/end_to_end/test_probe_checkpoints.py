"""The contamination probe on real checkpoints: one that knows nothing, and one that was taught half a vocabulary."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sebench_tasks.cli import app
from zwc.vocabulary import Vocabulary

pytest.importorskip("lm_eval")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

# None of these is a question of the probe: it must find knowledge however it was come by.
SENTENCES = (
    "{function} {name}",
    "{name} {function}",
    "zwc.{name}( is numpy.{function}(",
    "from numpy: {function}(x)\nzwc.{name}(x)",
)
TAUGHT = sorted(Vocabulary.default().names)[::2]


def probe(checkpoint: Path, *arguments: object):
    model = f"pretrained={checkpoint},dtype=float32"
    common = ["probe", "--model", "hf", "--model-args", model, "--device", "cpu", "--batch-size", "64", "--limit", "64"]
    return CliRunner().invoke(app, [*common, *map(str, arguments)])


@pytest.fixture(scope="module")
def taught_checkpoint(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny checkpoint after 400 steps on four sentences about every second function of the default vocabulary."""
    names = Vocabulary.default().names
    texts = [form.format(function=f, name=names[f]) for f in TAUGHT for form in SENTENCES]
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_checkpoint)
    model = transformers.AutoModelForCausalLM.from_pretrained(tiny_checkpoint)
    torch.manual_seed(0)
    loss = trained(model, tokenizer(texts, padding=True, padding_side="right", return_tensors="pt"), steps=400)
    assert loss < 1.0  # nats a token; 6.2 at the beginning
    folder = tmp_path_factory.mktemp("taught")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def trained(model, batch, steps: int) -> float:
    """Train on random rows of the batch; the last loss."""
    tokens, mask = batch["input_ids"], batch["attention_mask"]
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(steps):
        rows = torch.randint(len(tokens), (64,))
        labels = tokens[rows].masked_fill(mask[rows] == 0, -100)
        loss = model(input_ids=tokens[rows], attention_mask=mask[rows], labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def test_a_random_model_knows_nothing_and_the_probe_goes_on_from_its_cache(tiny_checkpoint, tmp_path, monkeypatch):
    arguments = [
        "--options",
        4,
        "--use-cache",
        tmp_path / "cache",
        "--output",
        tmp_path / "result.json",
        "--apply-chat-template",
    ]
    first = probe(tiny_checkpoint, *arguments)
    assert first.exit_code == 0, first.output
    assert "Verdict on default: no sign that it knows the vocabulary" in first.output
    record = json.loads((tmp_path / "result.json").read_text())
    assert record["model"]["form"] == "likelihood"
    assert record["vocabularies"][0]["known"] == []
    assert len(record["vocabularies"][0]["functions"]) == 64

    from lm_eval.models.huggingface import HFLM

    def asked_again(self, requests, **settings):
        raise AssertionError(f"{len(requests)} questions were asked again")

    monkeypatch.setattr(HFLM, "_loglikelihood_tokens", asked_again)
    second = probe(tiny_checkpoint, *arguments)
    assert second.exit_code == 0, second.output
    again = json.loads((tmp_path / "result.json").read_text())
    assert again["questions_hash"] == record["questions_hash"]
    assert again["vocabularies"] == record["vocabularies"]


def test_a_taught_half_is_found_and_another_seed_stays_clean(taught_checkpoint, tmp_path):
    output = tmp_path / "result.json"
    result = probe(taught_checkpoint, "--vocabulary", "default", "--vocabulary", "seed:7", "--output", output)
    assert result.exit_code == 4, result.output
    default, seven = json.loads(output.read_text())["vocabularies"]
    assert seven["knowledge"] == "none"
    assert default["p_value"] < 0.001
    asked = set(TAUGHT) & set(default["functions"])
    # It was taught in other words, which carry over in part: the estimate is at most what was taught.
    assert default["translation"]["known"] >= 10
    assert default["translation"]["low"] <= len(asked)
    assert len(asked & set(default["known"])) >= 8
    assert len(set(default["known"]) - asked) <= 1

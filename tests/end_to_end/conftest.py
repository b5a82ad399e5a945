"""A real checkpoint that costs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from train_recipes import tiny


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a random Llama of 2 layers, with tokenizer and chat template, that transformers loads offline."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("tiny-llama")
    tiny.write(folder)
    return folder

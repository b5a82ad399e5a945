"""Error messages that give nothing away: NumPy's text passes only when it holds no NumPy identifier."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

import numpy as np

# Words that are NumPy names and also the plain English that an error message needs.
PLAIN_WORDS = frozenset((
    "all", "any", "array", "bool", "broadcast", "character", "common", "complex", "copy", "core", "degrees", "diff",
    "double", "dtype", "e", "empty", "equal", "except", "extract", "float", "for", "full", "in", "indices",
    "insert", "int", "integer", "inverse", "is", "less", "long", "matrix", "max", "mean", "min", "mode", "negative",
    "not", "number", "object", "ones", "or", "order", "out", "pad", "place", "positive", "power", "product", "put",
    "real", "repeat", "reshape", "round", "save", "select", "shape", "short", "sign", "single", "size", "sort",
    "split", "square", "stack", "str", "string", "sum", "take", "test", "tile", "trace", "type", "unique", "values",
    "void", "where", "zeros",
))  # fmt: skip
# Element types are named by such texts everywhere in the library.
_DTYPE = re.compile(r"(bool|u?int(8|16|32|64)|float(16|32|64)|complex(64|128))\Z")
_BUILTIN = (
    "ZeroDivisionError", "FloatingPointError", "OverflowError", "MemoryError", "RecursionError", "IndexError",
    "KeyError", "AttributeError", "NotImplementedError", "TypeError", "ValueError", "RuntimeError",
)  # fmt: skip
_GENERIC = {
    "TypeError": "the arguments have types that do not fit together",
    "ValueError": "the arguments have values or shapes that do not fit",
    "IndexError": "an index is out of range or of a wrong kind",
    "MemoryError": "not enough memory for the result",
}
# NumPy's ways to put things, and plain ones.
_REWORDED = (
    (r"numpy\.newaxis \(`None`\)", "`None`"),
    (r"dtype\('([^']*)'\)", r"\1"),
    (r"\bgufunc signature\b", "signature"),
    (r"\. Use (a\.any\(\) or a\.all\(\)|`array\.size > 0`).*", ""),
)


def sanitise(error: Exception, own: Mapping[str, str]) -> tuple[str, str]:
    """Type name (a builtin exception's) and text to show for an exception that a call raised.

    `own` maps NumPy's names of the called function to its pseudo-name; no text speaks of any other function.
    """
    name = next((kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _BUILTIN), "RuntimeError")
    text = _reword("" if isinstance(error, KeyError) else str(error), own)
    if name == "MemoryError" or not text or gives_away(text):
        text = _GENERIC.get(name, "the call failed")
    return name, text


def gives_away(text: str) -> bool:
    """Whether the text holds a NumPy identifier as a whole word that is not plain English, or as code."""
    for before, word, after in re.findall(r"(\.?)\b([A-Za-z_]\w*)(\(?)", text):
        if "numpy" in word.lower() or "ufunc" in word.lower():
            return True
        plain = word in PLAIN_WORDS and not after and not before
        if word in _identifiers() and not plain and not _DTYPE.match(word):
            return True
    return False


def _reword(text: str, own: Mapping[str, str]) -> str:
    for pattern, plain in _REWORDED:
        text = re.sub(pattern, plain, text, flags=re.DOTALL)
    text = re.sub(r"\b[Uu]func '(\w+)'", lambda match: own.get(match[1], "the operation"), text)
    return re.sub(r"^(\w+)(\(\)|:)", lambda match: _subject(match[1], match[2], own), text)


def _subject(word: str, mark: str, own: Mapping[str, str]) -> str:
    """The head of a message such as `mean() got …`."""
    if word in own:
        return own[word] + mark
    return "the call" + mark.strip("()") if word in _identifiers() else word + mark


@functools.cache
def _identifiers() -> frozenset[str]:
    names = {name for module in (np, np.linalg, np.ndarray) for name in dir(module)}
    names |= {"np", "linalg", "trapz", "LinAlgError", "AxisError", "UFuncTypeError", "newaxis", "umath"}
    return frozenset(name for name in names if not name.startswith("__"))

"""Hypothesis strategies for what a hostile sender makes of a valid message: broken bytes, odd JSON, odd code."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

# What parsers of JSON stumble over: texts that are none, and texts that are.
NO_JSON = (
    b"", b"nul", b"[", b"[" * 100_000, b'{"a":' * 50_000, b"9" * 1_000_000, b"-", b"1e", b"0x10", b'"\\ud800',
    b"\xff\xfe", b'"\xed\xa0\x80"', b"[1,]", b"{'a':1}", b"\0", b"[1] 2",
)  # fmt: skip
ODD_JSON = (
    *NO_JSON, b"NaN", b"-Infinity", b"1e999", b'"\\ud800"', b'"\\u0000"', b'{"t":[],"t":[1]}',
    b'{"i":"0x' + b"f" * 100_000 + b'"}', b'{"c":[NaN,Infinity]}', b"[[[[]]]]", b"-0", b"null", b'{"d":[[[],0]]}',
    b'{"":{}}', b"true",
)  # fmt: skip
ODD_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(2**80), 2**80) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["t", "c", "i", "d", "x"]), inner),
    max_leaves=6,
)


def mutated_bytes(valid: bytes) -> st.SearchStrategy[bytes]:
    """The bytes with a stretch of them cut out, replaced, or doubled."""
    place = st.integers(0, len(valid))
    stretch = st.tuples(place, place).map(sorted)
    filling = st.binary(max_size=12) | st.sampled_from(ODD_JSON) | stretch.map(lambda ends: valid[ends[0] : ends[1]])
    return st.builds(lambda ends, middle: valid[: ends[0]] + middle + valid[ends[1] :], stretch, filling)


def mutated_json(valid: Any) -> st.SearchStrategy[bytes]:
    """The JSON text of `valid` with one of its parts replaced by something odd."""
    places = list(_places(valid))
    return st.builds(lambda place, odd: _dump(_replaced(valid, place, odd)), st.sampled_from(places), ODD_VALUES)


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def _places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    yield path
    keys: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield from _places(value[key], (*path, key))


def _replaced(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = value.copy()
    copy[path[0]] = _replaced(value[path[0]], path[1:], odd)
    return copy


# Pieces of Python that open something, nest, or are no Python at all.
PIECES = (
    "(", "[", "{", ")", "]", "}", "f(", "a[", "{a:", "lambda x:", "-", "not ", "await ", "yield ", "*", "**", "1+",
    "a if b else ", "a.b", ".", ",", ":", "=", ":=", ";", "x=", "@a\n", "\n", "\n ", "\n  ", "\t", "\\\n", "\0", "\x0c",
    "'", '"""', "f'{", "b'", "rb'''", "#", "9" * 5000, "0x" + "f" * 5000, "1e999", "1_", "def f(x):", "class f:",
    "try:",
    "match x:\n case ", "for x in ", "with a as b", "import ", "from . import ", "import zwc\n", "numpy", "zwc", "f",
    "return ", "```", "~~~", "```python\n", "<think>", "</think>", "\ud800", "\u202e", "é", "\U0001f600", "\r",
    "\ufeff",
)  # fmt: skip
_PIECE = st.sampled_from(PIECES)
_TIMES = st.sampled_from((99, 3000))


def _times(part: str, times: int) -> str:
    return part * min(times, 100_000 // len(part))


CODE = st.one_of(
    st.text(max_size=300),
    st.lists(_PIECE, max_size=40).map("".join),
    st.builds(lambda part, times, end: _times(part, times) + end, _PIECE, _TIMES, st.text(max_size=3)),
    st.builds(lambda one, other: _times(one + other, 200), _PIECE, _PIECE),
)  # fmt: skip

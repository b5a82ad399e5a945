"""Values as data: the one encoding between client, kernel, sandbox and files.

JSON carries numbers, text, booleans, None and lists as they are. What JSON lacks is an object with one tag:
`{"t": [...]}` tuple, `{"c": [re, im]}` complex, `{"i": "0x…"}` an integer outside 64 bits, `{"d": [[key, value], …]}`
dict. Non-finite floats are the tokens NaN and Infinity of Python's `json`. Further tags belong to whoever passes
`other` and `revive`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Encoder = Callable[[Any], Any]
Reviver = Callable[[str, Any], Any]
# Types that may stand for themselves, by name: as element types or as functions.
TYPES: dict[str, type] = {kind.__name__: kind for kind in (bool, int, float, complex, str, object)}
_INT64 = 1 << 63
_DEPTH = 300
_MOST_PAIRS = 1000
_AS_THEY_ARE = frozenset((float, str, bool, type(None)))
_TAGGED_OR_NESTED = frozenset((list, dict))
_to_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_from_json = json.JSONDecoder().decode


def _refuse(value: Any) -> Any:
    raise TypeError(f"cannot send a value of type {type(value).__name__}; use numbers, text, lists or tuples")


def encode(value: Any, other: Encoder = _refuse) -> Any:
    """Make `value` JSON-ready; `other` encodes what is not plain data, or raises TypeError.

    Lists are copied. Raises RecursionError on a list that contains itself.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is int:
        return value if -_INT64 <= value < _INT64 else {"i": hex(value)}
    if kind is list:
        return value[:] if _AS_THEY_ARE.issuperset(map(type, value)) else [encode(item, other) for item in value]
    if kind is tuple:
        return {"t": [encode(item, other) for item in value]}
    if kind is complex:
        return {"c": [value.real, value.imag]}
    if kind is dict:
        return {"d": [[encode(k, other), encode(v, other)] for k, v in value.items()]}
    return other(value)


def decode(value: Any, revive: Reviver | None = None, depth: int = _DEPTH) -> Any:
    """Undo `encode` on parsed JSON; `revive(tag, content)` handles tags that are not of this module.

    Raises ValueError on an unknown tag, on a malformed one, beyond `depth` levels of nesting, and on a dict of more
    than a thousand pairs: keys can be made up so that building it takes the square of its length.
    """
    kind = type(value)
    if kind is list:
        if _TAGGED_OR_NESTED.isdisjoint(map(type, value)):
            return value
        if not depth:
            raise ValueError("values nested too deeply")
        return [decode(item, revive, depth - 1) for item in value]
    if kind is not dict:
        return value
    if len(value) != 1 or not depth:
        raise ValueError("a tagged value has exactly one tag, and is not nested too deeply")
    ((tag, content),) = value.items()
    if tag == "t" and type(content) is list:
        return tuple(decode(content, revive, depth - 1))
    if tag == "d" and type(content) is list:
        return _pairs(content, revive, depth - 1)
    if tag == "c" and type(content) is list and [*map(type, content)] == [float, float]:
        return complex(*content)
    if tag == "i" and type(content) is str:
        return int(content, 16)
    if revive is None or tag in ("t", "d", "c", "i"):
        raise ValueError(f"unknown or malformed tag {tag!r}")
    return revive(tag, content)


def _pairs(content: list[Any], revive: Reviver | None, depth: int) -> dict[Any, Any]:
    if len(content) > _MOST_PAIRS:
        raise ValueError(f"a dict of {len(content)} pairs; {_MOST_PAIRS} are the most")
    pairs = decode(content, revive, depth)
    try:
        return dict(pairs)
    except TypeError as error:
        raise ValueError(f"not the pairs of a dict ({error})") from None


def dumps(message: Any) -> bytes:
    """Serialise an encoded message to bytes (JSON, ASCII only). Two surrogates that form a pair become a character."""
    return _to_json(message).encode("ascii")


def loads(data: bytes | str) -> Any:
    """Parse what `dumps` wrote. Raises ValueError on anything else."""
    try:
        return _from_json(data if isinstance(data, str) else data.decode("utf-8"))
    except RecursionError as error:
        raise ValueError("message nested too deeply") from error

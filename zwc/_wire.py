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
_INT64 = 1 << 63


def _refuse(value: Any) -> Any:
    raise TypeError(f"cannot send a value of type {type(value).__name__}; use numbers, text, lists or tuples")


def encode(value: Any, other: Encoder = _refuse) -> Any:
    """Make `value` JSON-ready; `other` encodes what is not plain data, or raises TypeError."""
    kind = type(value)
    if kind is float or kind is str or kind is bool or value is None:
        return value
    if kind is int:
        return value if -_INT64 <= value < _INT64 else {"i": hex(value)}
    if kind is list:
        return [encode(item, other) for item in value]
    if kind is tuple:
        return {"t": [encode(item, other) for item in value]}
    if kind is complex:
        return {"c": [value.real, value.imag]}
    if kind is dict:
        return {"d": [[encode(k, other), encode(v, other)] for k, v in value.items()]}
    return other(value)


def decode(value: Any, revive: Callable[[str, Any], Any] | None = None) -> Any:
    """Undo `encode` on parsed JSON; `revive(tag, content)` handles tags that are not of this module.

    Raises ValueError on an unknown tag or a malformed one.
    """
    kind = type(value)
    if kind is list:
        return [decode(item, revive) for item in value]
    if kind is not dict:
        return value
    if len(value) != 1:
        raise ValueError("a tagged value has exactly one tag")
    ((tag, content),) = value.items()
    return _decode_tag(tag, content, revive)


def _decode_tag(tag: str, content: Any, revive: Callable[[str, Any], Any] | None) -> Any:
    try:
        if tag == "t":
            return tuple(decode(item, revive) for item in content)
        if tag == "c":
            return complex(float(content[0]), float(content[1]))
        if tag == "i":
            return int(content, 16)
        if tag == "d":
            return {decode(k, revive): decode(v, revive) for k, v in content}
    except (TypeError, IndexError) as error:
        raise ValueError(f"malformed value with tag {tag!r}") from error
    if revive is None:
        raise ValueError(f"unknown tag {tag!r}")
    return revive(tag, content)


def dumps(message: Any) -> bytes:
    """Serialise an encoded message to bytes (UTF-8 JSON, ASCII only)."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def loads(data: bytes | str) -> Any:
    """Parse what `dumps` wrote. Raises ValueError on anything else."""
    try:
        return json.loads(data)
    except RecursionError as error:
        raise ValueError("message nested too deeply") from error

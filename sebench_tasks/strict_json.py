"""JSON that every reader takes: no NaN and no Infinity, which Python's `json` writes and the standard does not know."""

import math
from typing import Any

_TAG = "f"
_NAMES = ("nan", "inf", "-inf")


def strict(value: Any) -> Any:
    """`value`, made of dicts, lists and scalars, with `{"f": "nan"}` and the like for floats that are not finite."""
    match value:
        case float() if not math.isfinite(value):
            return {_TAG: str(value)}
        case list():
            return [strict(item) for item in value]
        case dict():
            return {key: strict(item) for key, item in value.items()}
    return value


def revived(value: Any) -> Any:
    """Undo `strict`."""
    match value:
        case {"f": str(text), **rest} if not rest and text in _NAMES:
            return float(text)
        case list():
            return [revived(item) for item in value]
        case dict():
            return {key: revived(item) for key, item in value.items()}
    return value

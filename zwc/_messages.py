"""Error messages that give nothing away: NumPy's text passes only when it holds no NumPy identifier."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

import numpy as np

# Words that are NumPy names and also the plain English that an error message needs.
PLAIN_WORDS = frozenset(
    "all any array broadcast character complex copy diff double empty equal except extract float for full in insert "
    "int integer inverse is less long max mean min mode not number object ones or order out place power product put "
    "real repeat reshape round save select shape short sign single size sort split square stack str string sum take "
    "test tile trace type unique values void where zeros bool core positive negative pad degrees common e".split()
)
_BUILTIN = (
    ZeroDivisionError, FloatingPointError, OverflowError, MemoryError, RecursionError, IndexError, KeyError,
    AttributeError, NotImplementedError, TypeError, ValueError, RuntimeError,
)  # fmt: skip
_GENERIC = {
    "TypeError": "the arguments have types that do not fit together",
    "ValueError": "the arguments have values or shapes that do not fit",
    "IndexError": "an index is out of range or of a wrong kind",
    "MemoryError": "not enough memory for the result",
}


def sanitise(error: Exception, pseudo_name: Callable[[str], str | None]) -> tuple[str, str]:
    """Type name (a builtin exception's) and text to show for an exception that a call raised."""
    name = next((kind.__name__ for kind in _BUILTIN if isinstance(error, kind)), "RuntimeError")
    text = _rename("" if isinstance(error, KeyError) else str(error), pseudo_name)
    if name == "MemoryError" or not text or gives_away(text):
        text = _GENERIC.get(name, "the call failed")
    return name, text


def gives_away(text: str) -> bool:
    """Whether the text holds a NumPy identifier as a whole word that is not plain English."""
    words = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", text)
    return any(word in _identifiers() or "numpy" in word.lower() or "ufunc" in word.lower() for word in words)


def _rename(text: str, pseudo_name: Callable[[str], str | None]) -> str:
    """Put pseudo-names for quoted function names (`ufunc 'add' …`) and for a leading `name()`."""

    def replace(match: re.Match[str]) -> str:
        name = pseudo_name(match["name"])
        return match[0] if name is None else match[0].replace(match["name"], name)

    text = re.sub(r"\b[Uu]func '(?P<name>\w+)'", replace, text)
    text = re.sub(r"\b[Uu]func '", "function '", text)
    return re.sub(r"^(?P<name>\w+)\(\)", replace, text)


@functools.cache
def _identifiers() -> frozenset[str]:
    names = {name for module in (np, np.linalg, np.ndarray) for name in dir(module)}
    names |= {"np", "linalg", "trapz", "LinAlgError", "AxisError", "UFuncTypeError", "newaxis", "umath"}
    return frozenset(name for name in names if not name.startswith("__")) - PLAIN_WORDS

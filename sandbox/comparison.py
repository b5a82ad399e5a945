"""Whether a returned value is the expected one. Both are plain data; nothing is evaluated or printed."""

from __future__ import annotations

import cmath
import math
from typing import Any

from sandbox.records import Tolerance

_LONGEST = 200


def agree(value: Any, expected: Any, tolerance: Tolerance) -> bool:
    """Whether `value` equals `expected`.

    A bool is not a number; `3 == 3.0`; integers are exact at any size; nan equals nan; lists and tuples are equal by
    element, dicts by key; a scalar is not a list of one element.
    """
    pending = [(value, expected)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, list | tuple) and isinstance(other, list | tuple):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            pending.extend((one[key], other[key]) for key in one)
        elif not _scalars_agree(one, other, tolerance):
            return False
    return True


def _scalars_agree(value: Any, expected: Any, tolerance: Tolerance) -> bool:
    kinds = (type(value), type(expected))
    if bool in kinds or str in kinds or type(None) in kinds:
        return kinds[0] is kinds[1] and bool(value == expected)
    if not all(kind in (int, float, complex) for kind in kinds):
        return False
    if kinds == (int, int):
        return bool(value == expected)
    if complex in kinds:
        return _complex_agree(value, expected, tolerance)
    return _floats_agree(value, expected, tolerance)


def _floats_agree(value: float, expected: float, tolerance: Tolerance) -> bool:
    if value == expected:
        return True
    try:
        value, expected = float(value), float(expected)
    except OverflowError:
        return False
    if math.isnan(value) or math.isnan(expected):
        return math.isnan(value) and math.isnan(expected)
    if math.isinf(value) or math.isinf(expected):
        return value == expected
    return abs(value - expected) <= max(tolerance.relative * abs(expected), tolerance.absolute)


def _complex_agree(value: complex, expected: complex, tolerance: Tolerance) -> bool:
    try:
        value, expected = complex(value), complex(expected)
    except OverflowError:
        return False
    if cmath.isfinite(value) and cmath.isfinite(expected):
        distance = math.hypot(value.real - expected.real, value.imag - expected.imag)
        size = math.hypot(expected.real, expected.imag)
        return math.isfinite(distance) and distance <= max(tolerance.relative * size, tolerance.absolute)
    return _floats_agree(value.real, expected.real, tolerance) and _floats_agree(value.imag, expected.imag, tolerance)


def difference(value: Any, expected: Any) -> str:
    """A short text that says how the two differ, for people."""
    return f"expected {_short(expected)}, got {_short(value)}"


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:
        text = f"an integer of {value.bit_length()} bits" if isinstance(value, int) else "a value with huge integers"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

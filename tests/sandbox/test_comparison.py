"""Comparison: what agrees, what does not, and that no value makes it fail."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.comparison import agree, difference
from sandbox.records import Tolerance

DEFAULT = Tolerance()
NAN, INF = math.nan, math.inf
BIG = 10**400

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner),
    max_leaves=12,
)

AGREE: list[tuple[Any, Any]] = [
    (3, 3.0), (3.0, 3), (0.1 + 0.2, 0.3), (NAN, NAN), (INF, INF), (-0.0, 0.0), ([1, [2.0]], (1, (2,))), ([], ()),
    (2 + 0j, 2), (2, 2 + 0j), (complex(NAN, 1), complex(NAN, 1)), (BIG, BIG), (True, True), (None, None), ("a", "a"),
    (1e-10, 0.0), ({1: [2]}, {1: (2.0,)}),
]  # fmt: skip
DIFFER: list[tuple[Any, Any]] = [
    (True, 1), (1, True), (0, False), (3, 4), (BIG, BIG + 1), (2**53, 2**53 + 1), (NAN, 0.0), (0.0, NAN), (INF, -INF),
    (INF, 1e308), (1.0, [1.0]), ([1.0], 1.0), ([1], [1, 1]), ([], None), (None, 0), ("1", 1), (1e-8, 0.0),
    (1.00001, 1.0), (2 + 1e-3j, 2), (BIG, INF), (BIG, 1.0), ({1: 2}, {2: 2}), ({1: 2}, [2]), (0.0, None),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), AGREE)
def test_agree(value: Any, expected: Any) -> None:
    assert agree(value, expected, DEFAULT)


@pytest.mark.parametrize(("value", "expected"), DIFFER)
def test_differ(value: Any, expected: Any) -> None:
    assert not agree(value, expected, DEFAULT)


def test_tolerance_is_that_of_the_problem() -> None:
    assert agree(1.005, 1.0, Tolerance(relative=0.0, absolute=1e-2))
    assert not agree(1.02, 1.0, Tolerance(relative=0.0, absolute=1e-2))
    assert not agree(5, 4, Tolerance(relative=0.5, absolute=1.0))


@given(PLAIN)
def test_every_value_agrees_with_itself(value: Any) -> None:
    assert agree(value, value, DEFAULT)


@given(PLAIN, PLAIN)
def test_any_pair_is_decided_and_described(value: Any, expected: Any) -> None:
    assert agree(value, expected, DEFAULT) in (True, False)
    assert "expected" in difference(value, expected)


@given(PLAIN)
def test_a_list_around_it_makes_a_difference(value: Any) -> None:
    assert not agree([value], value, DEFAULT)


def test_deep_and_huge_values() -> None:
    deep: Any = 0
    for _ in range(100_000):
        deep = [deep]
    assert agree(deep, deep, DEFAULT)
    assert "bits" in difference(10**5000, 1)

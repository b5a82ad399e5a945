"""The codec: every plain value comes back as it was; anything malformed is a ValueError."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.sandbox.mutations import NO_JSON, ODD_JSON, mutated_bytes
from tests.zwc.mirror import examples
from zwc import _wire

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**200), 2**200),
    st.floats(),
    st.complex_numbers(allow_nan=True),
    st.text(),
    st.text(st.characters(min_codepoint=0xDC00, max_codepoint=0xDFFF)),
)
KEYS = st.one_of(st.text(), st.integers(), st.booleans(), st.tuples(st.integers(), st.text()))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner), st.lists(inner).map(tuple), st.dictionaries(KEYS, inner), st.lists(st.floats(), min_size=3)
    ),
    max_leaves=20,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["t", "c", "i", "d", "a", "x", ""]), inner, max_size=2)
    ),
    max_leaves=15,
)


def identical(left, right):
    """Same types, same values; nan is nan and -0.0 is -0.0."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return identical(list(left.items()), list(right.items()))
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(identical, left, right))
    if isinstance(left, complex):
        return identical((left.real, left.imag), (right.real, right.imag))
    return left == right if isinstance(left, int) else repr(left) == repr(right)


@examples
@given(VALUES)
@example(2**63)
@example(-(2**63))
@example(-(2**63) - 1)
@example(10**5000)
@example([float("nan"), float("-inf"), -0.0, complex("nan+infj"), complex(-0.0, -0.0)])
@example(["\U00010000", "\udc00\ud800", "\x00", "\u2028", {"t": [1]}, {("a",): {}}])
@example([True, 1, 1.0, None, "1"])
def test_round_trip(value):
    data = _wire.dumps(_wire.encode(value))
    assert identical(_wire.decode(_wire.loads(data)), value)
    assert data.isascii()
    assert identical(_wire.decode(_wire.loads(data.decode())), value)


@examples
@given(VALUES)
def test_encoding_shares_nothing_with_the_value(value):
    before = repr(value)
    encoded = _wire.encode([value])
    encoded.append(0)
    if type(encoded[0]) is list:
        encoded[0].append(0)
    assert repr(value) == before


@examples
@given(JSON)
def test_decoding_any_json_gives_a_value_or_a_value_error(message):
    with contextlib.suppress(ValueError):
        _wire.decode(message)


@examples
@given(st.binary(max_size=30) | st.text(max_size=30))
def test_loading_any_bytes_gives_json_or_a_value_error(data):
    with contextlib.suppress(ValueError):
        _wire.loads(data)


@pytest.mark.parametrize(
    "message",
    [
        {}, {"t": [], "c": []}, {"x": 1}, {"t": 5}, {"t": "ab"}, {"t": {"t": []}}, {"c": [1.0]}, {"c": ["1", "2"]},
        {"c": [1.0, None]}, {"c": {}}, {"c": [1, 2]}, {"c": [10**400, 0]}, {"i": 5}, {"i": ""}, {"i": "0xzz"},
        {"i": None},
        {"d": [[1]]}, {"d": [[1, 2, 3]]}, {"d": [[[], 1]]}, {"d": [1]}, {"d": {}}, {"d": "ab"}, {"d": None},
        [{"t": [{"x": 0}]}], {"a": 1},
    ],
)  # fmt: skip
def test_malformed_values_are_value_errors(message):
    with pytest.raises(ValueError, match=r"."):
        _wire.decode(message)


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: {"t": [v]}, lambda v: {"d": [["k", v]]}])
def test_deep_nesting_is_a_value_error(wrap):
    value = 1
    for _ in range(5000):
        value = wrap(value)
    with pytest.raises(ValueError, match="deep"):
        _wire.decode(value)


def test_deep_json_is_a_value_error():
    with pytest.raises(ValueError, match="deep"):
        _wire.loads(b"[" * 200_000)


def test_a_list_that_contains_itself_is_refused():
    value = []
    value.append(value)
    with pytest.raises(RecursionError):
        _wire.encode(value)


@pytest.mark.parametrize("value", [b"bytes", object(), {1, 2}, range(3), ..., slice(1), type, len])
def test_other_values_are_type_errors(value):
    for wrapped in (value, [value], (1, value), {"key": value}):
        with pytest.raises(TypeError, match="cannot send a value of type"):
            _wire.encode(wrapped)


def test_subclasses_are_left_to_the_caller():
    class Number(int):
        pass

    assert _wire.encode([Number(3)], lambda value: f"other {int(value)}") == ["other 3"]


def test_foreign_tags_reach_whoever_revives_them():
    message = {"t": [{"a": [1, {"z": 2}]}]}
    assert _wire.decode(message, lambda tag, content: (tag, content)) == (("a", [1, {"z": 2}]),)


def test_errors_of_reviving_pass_through():
    def revive(tag, content):
        raise LookupError(tag)

    with pytest.raises(LookupError):
        _wire.decode([{"t": [{"q": 1}]}], revive)


def test_a_dict_of_very_many_pairs_is_a_value_error():
    """Keys of one hash, such as these, would take the square of their number to put into a dict."""
    pairs = [[{"i": hex(((1 << 61) - 1) * (k + 16))}, 0] for k in range(20_000)]
    with pytest.raises(ValueError, match="1000 are the most"):
        _wire.decode([{"d": pairs}])
    assert len(_wire.decode({"d": pairs[:1000]})) == 1000


@examples
@given(
    mutated_bytes(_wire.dumps(_wire.encode([1, (2.5, 1j), {"k": [2**80]}, "text", None]))) | st.sampled_from(ODD_JSON)
)
def test_mutated_messages_are_values_or_value_errors(data):
    with contextlib.suppress(ValueError):
        _wire.decode(_wire.loads(data))


@pytest.mark.parametrize("data", NO_JSON)
def test_odd_messages_are_value_errors(data):
    with pytest.raises(ValueError, match=r"."):
        _wire.loads(data)


def test_of_equal_keys_the_last_counts_and_is_still_checked():
    assert _wire.decode(_wire.loads(b'{"t":[],"t":[1]}')) == (1,)
    with pytest.raises(ValueError, match="exactly one tag"):
        _wire.decode(_wire.loads(b'{"t":[],"c":[0.0,0.0],"t":[1]}'))

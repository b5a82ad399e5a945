"""The kernel answers any message that is a list, or the conversation ends; nothing else comes out of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zwc.mirror import VOCABULARY, examples
from zwc import _wire, catalog, kernel
from zwc._signature import Signature

# Few and cheap functions, and no operator whose result can outgrow the machine.
FUNCTION_IDS = ("mean", "add", "reshape", "concatenate", "vectorize", "linalg.inv", "copyto", "piecewise")
NAMES = [VOCABULARY.wire_name(function_id) for function_id in FUNCTION_IDS]
FUNCTIONS = {
    VOCABULARY.wire_name(i): (i, Signature(catalog.load()[i].signature)) for i in FUNCTION_IDS
}  # fmt: skip
OPERATORS = ["add", "sub", "matmul", "iadd", "and", "eq", "neg", "divmod", "none", ""]
ODD = st.none() | st.booleans() | st.integers(-3, 5) | st.floats(width=16) | st.sampled_from(["int", "", "x", "\ud800"])
TAGS = st.sampled_from(["a", "k", "s", "z", "e", "y", "t", "c", "i", "d", "f", "x"])
VALUES = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TAGS, inner, max_size=1), max_leaves=6
)
LISTS = st.lists(VALUES, max_size=3)
OPTIONS = st.fixed_dictionaries({"d": st.lists(st.tuples(st.sampled_from(["axis", "out", "x"]), VALUES).map(list))})
FORMED = st.one_of(
    st.tuples(st.just("call"), LISTS, st.sampled_from(NAMES), LISTS, OPTIONS | VALUES),
    st.tuples(st.just("operate"), LISTS, st.sampled_from(OPERATORS), LISTS),
    st.tuples(st.sampled_from(sorted(kernel._ACTIONS)), VALUES, VALUES, VALUES),
    st.tuples(st.sampled_from(sorted(kernel._ACTIONS)), LISTS, VALUES),
    st.tuples(st.sampled_from(["return", "raise"]), VALUES),
    st.tuples(st.sampled_from(["find", "find_many", "return", "raise", "", "__class__"])),
).map(list)
MESSAGES = FORMED | st.lists(VALUES, min_size=1, max_size=4)
ARRAY = ["call", [], NAMES[1], [[[1.0, 2.0], [3.0, 5.0]], 0], {"d": []}]  # handle 1 in every conversation


class Link:
    """A client that says what it was going to say, whatever it hears."""

    def __init__(self, messages):
        self._messages = [ARRAY, *messages]
        self.heard = []

    def send(self, message):
        """Hear a message, as it would cross."""
        self.heard.append(_wire.loads(_wire.dumps(message)))

    def receive(self):
        """The next message."""
        if not self._messages:
            raise EOFError
        return self._messages.pop(0)


def conversation(messages):
    """What a fresh kernel says to the messages."""
    link = Link(messages)
    kernel.Kernel(FUNCTIONS).serve(link)
    return link.heard


def test_the_first_message_makes_an_array():
    """Else no message below would reach one."""
    assert conversation([["plain", [], {"a": 1}]])[0][0:2] == ["ok", {"a": [1, [2, 2], "float64"]}]
    assert conversation([["plain", [], {"a": 1}]])[1] == ["ok", [[1.0, 2.0], [3.0, 5.0]]]


@examples
@pytest.mark.filterwarnings("ignore")
@given(st.lists(MESSAGES, max_size=6))
def test_any_conversation_comes_to_its_end(messages):
    heard = conversation(messages)
    assert len(heard) <= 1 + len(messages) + 1
    assert {message[0] for message in heard} <= {"ok", "error", "callback"}
    for message in heard:
        assert message[0] != "error" or len(message) == 4


@pytest.mark.parametrize(
    "wrap", [lambda v: [v], lambda v: {"t": [v]}, lambda v: {"d": [["k", v]]}, lambda v: {"s": [v]}]
)
def test_deep_values_are_errors(wrap):
    value = {"a": 1}
    for _ in range(5000):
        value = wrap(value)
    for message in (["plain", [], value], ["call", [], NAMES[0], [value], {"d": []}], ["return", value]):
        assert conversation([message])[1][0] == "error"


def test_callbacks_that_answer_each_other_end():
    """Each answer to a callback starts another."""
    again = ["call", [], VOCABULARY.wire_name("piecewise"), [[1.0], [True], [{"k": 1}]], {"d": []}]
    heard = conversation([again] * 200)
    assert heard[-1][0] == "error"
    assert 10 < [message[0] for message in heard].count("callback") < 200

"""What the probe asks: four kinds of questions, each an unfinished text and the answer that would finish it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

QUESTIONS_VERSION = 1
PREFIX_LETTERS = 2

_TASK = (
    "zwc is a Python library that has the functions of NumPy under other names. Finish the text below. "
    "Answer with the one name that is missing at its end, and nothing else."
)


class Kind(StrEnum):
    """Kinds of questions."""

    NAME = "name"
    MEANING = "meaning"
    CALL = "call"
    COMPLETION = "completion"


TRANSLATION = (Kind.NAME, Kind.MEANING, Kind.CALL)


@dataclass(frozen=True)
class Pair:
    """A function id and a pseudo-name, true or not, under one kind of question."""

    kind: Kind
    function_id: str
    name: str


def text(pair: Pair) -> str:
    """The unfinished text. Only in questions of meaning and completion does it depend on the pseudo-name."""
    if pair.kind is Kind.NAME:
        return f"What NumPy calls {pair.function_id}, zwc calls"
    if pair.kind is Kind.MEANING:
        return f"What zwc calls {pair.name}, NumPy calls"
    if pair.kind is Kind.CALL:
        return f"# numpy.{pair.function_id}(x) with zwc:\ny = {_module(pair.function_id)}."
    return f"A function of zwc, {len(pair.name)} letters, begins with {pair.name[:PREFIX_LETTERS]}:"


def request(pair: Pair) -> str:
    """The question as a message to a chat model."""
    return f"{_TASK}\n\n{text(pair)}"


def answer(pair: Pair) -> str:
    """What finishes the text if the pair is true, with the space before it."""
    if pair.kind is Kind.CALL:
        return f"{pair.name}("
    return f" {answer_word(pair)}"


def answer_word(pair: Pair) -> str:
    """The bare word that a right answer contains."""
    return pair.function_id if pair.kind is Kind.MEANING else pair.name


def _module(function_id: str) -> str:
    return "zwc.rfx" if function_id.startswith("linalg.") else "zwc"

"""Whatever a response holds, the host says something about it in little time and raises nothing."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox import chance, parsing
from sandbox.extraction import extract_code
from sandbox.grading import grade
from sandbox.guests import Job, RunRecord
from sandbox.policy import judge
from sandbox.records import GradingRequest, Library, Limits, Outcome
from tests.sandbox.mean_requests import CASES
from tests.sandbox.mutations import CODE, PIECES

LIBRARIES = st.sampled_from(Library)


class Reached(Exception):
    """Raised in place of running code: the host had nothing against it."""


def refuse(job: Job) -> RunRecord:
    """A runner that runs nothing."""
    raise Reached


@given(CODE)
def test_parsing_gives_a_module_or_one_of_its_reasons(code: str) -> None:
    try:
        module = parsing.parse(code)
    except parsing.REASONS:
        return
    assert module.body is not None


@given(CODE, LIBRARIES)
def test_any_code_is_judged(code: str, library: Library) -> None:
    judged = judge(code, library)
    if judged is None:
        assert chance.possible(code) in (True, False)
    else:
        assert judged[0] in (Outcome.SYNTAX_ERROR, Outcome.FORBIDDEN_IMPORT, Outcome.LIBRARY_UNUSED)
        assert len(judged[1]) <= 400


@settings(max_examples=40)
@given(CODE, LIBRARIES)
def test_any_response_is_graded_or_run(response: str, library: Library) -> None:
    request = GradingRequest(response, "f", CASES, ("mean",), library=library)
    for text in (response, f"```python\nimport zwc\n{response}\n```"):
        try:
            verdict = grade(replace(request, response=text), refuse, Limits())
        except Reached:
            continue
        assert not verdict.passed
        verdict.as_dict()


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join), st.sampled_from(("", "x", "def f(x): 1"))
)
def test_repetition_takes_little_time(part: str, end: str) -> None:
    response = part * (50_000 // len(part)) + end
    before = time.process_time()
    code = extract_code(response, "f")
    if code is not None and judge(code, Library.ZWC) is None:
        chance.possible(code)
    assert time.process_time() - before < 5


@pytest.mark.parametrize("opening", ["(", "[", "{a:", "f(", "lambda:", "-", "not ", "a.", "1+", "a if b else ", "f'{"])
@pytest.mark.parametrize("depth", [90, 5_000, 200_000])
def test_deep_nesting_never_ends_the_host(opening: str, depth: int) -> None:
    """Nesting that the parser's own limits do not catch could overflow the stack, which no exception would tell."""
    judge(f"import zwc\ndef f(x):\n    return {opening * depth}x", Library.ZWC)

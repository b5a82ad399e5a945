"""The one prompt."""

import pytest

from sandbox.records import Case, Library, Tolerance
from sebench_tasks import prompts
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.prompts import Condition
from zwc.vocabulary import Vocabulary


@pytest.fixture
def vocabulary():
    return Vocabulary.default()


@pytest.mark.parametrize("condition", Condition)
def test_every_prompt_holds_task_signature_and_first_case(problem, vocabulary, condition):
    text = prompts.build(problem, condition, vocabulary, reference="THE REFERENCE")
    assert problem.statement in text
    assert problem.signature in text
    assert ">>> daily_load(loads=[[1, 2], [3, 5]])\n[1.5, 4.0]" in text
    assert "daily_load(loads=[[7, 7]])" not in text


def test_only_the_open_prompt_shows_documentation(problem, vocabulary):
    shown = {c: "THE REFERENCE" in prompts.build(problem, c, vocabulary, reference="THE REFERENCE") for c in Condition}
    assert shown == {Condition.CLOSED: False, Condition.OPEN: True, Condition.NUMPY: False}


def test_closed_and_numpy_prompts_give_no_name_away(problem, vocabulary):
    for condition in (Condition.CLOSED, Condition.NUMPY):
        text = prompts.build(problem, condition, vocabulary)
        assert not any(name in text for name in vocabulary.names.values())
        assert text == prompts.build(problem, condition, Vocabulary.from_seed(1))


def test_zwc_prompts_do_not_name_numpy_nor_the_numpy_prompt_zwc(problem, vocabulary):
    closed = prompts.build(problem, Condition.CLOSED, vocabulary).lower()
    by_numpy = prompts.build(problem, Condition.NUMPY, vocabulary).lower()
    assert "zwc" in closed
    assert "numpy" not in closed
    assert "numpy" in by_numpy
    assert "zwc" not in by_numpy


def test_the_open_prompt_holds_the_reference_of_the_needed_functions(problem, vocabulary):
    pytest.importorskip("zwc.reference", reason="the reference renderer is not there")
    text = prompts.build(problem, Condition.OPEN, vocabulary)
    assert vocabulary.qualified("median") in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), "float('nan')"),
        ([-float("inf"), 1], "[float('-inf'), 1]"),
        ((1,), "(1,)"),
        ({"a": (1, 2)}, "{'a': (1, 2)}"),
        (complex(0, float("inf")), "complex(0.0, float('inf'))"),
        (1 - 2j, "(1-2j)"),
    ],
)
def test_values_are_shown_as_python_source(value, text):
    assert prompts.value_text(value) == text


def test_a_request_carries_what_grading_needs(make_problem):
    problem = make_problem(tolerance=Tolerance(0, 0.5), cases=(Case({"loads": [[1]]}, [1.0]),))
    request = grading_request(problem, "text", Condition.OPEN)
    assert (request.response, request.entry_point, request.cases) == ("text", "daily_load", problem.cases)
    assert (request.targets, request.tolerance, request.library) == (("median",), Tolerance(0, 0.5), Library.ZWC)
    assert grading_request(problem, "", Condition.NUMPY).library is Library.NUMPY
    assert grading_request(make_problem(), "", Condition.CLOSED).tolerance == Tolerance()

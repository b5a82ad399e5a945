"""The checker finds each kind of fault, and none where there is none."""

from dataclasses import replace

import pytest

from sandbox.pool import Pool
from sandbox.records import Case
from sebench_tasks import check, neighbours
from zwc.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary.default()


def rules(faults):
    return {(fault.rule, fault.text) for fault in faults}


def test_a_good_problem_has_no_faults(problem, vocabulary):
    assert check.inspect([problem], vocabulary) == []


def changed_statement(problem, words):
    return replace(problem, statement=f"{problem.statement} {words}")


@pytest.mark.parametrize("words", ["Use numpy.", "Take np.", "Call zwc.", "As argsort does.", "Via linalg.", "NumPy"])
def test_words_that_give_the_answer_away_are_found(problem, vocabulary, words):
    faults = check.inspect_text([changed_statement(problem, words)], vocabulary)
    assert [fault.rule for fault in faults] == ["statement"]


def test_pseudo_names_are_found(problem, vocabulary):
    faults = check.inspect_text([changed_statement(problem, vocabulary.names["mean"])], vocabulary)
    assert "uses the words kocito" in faults[0].text


def test_plain_english_names_may_be_used(problem, vocabulary):
    assert check.inspect_text([changed_statement(problem, "Sort, add and round the mean.")], vocabulary) == []


def test_the_plain_english_list_holds_function_names_only(vocabulary):
    ids = {name.rpartition(".")[2] for name in vocabulary.names}
    assert ids >= check.PLAIN_ENGLISH


@pytest.mark.parametrize(
    ("changes", "rule", "text"),
    [
        ({"statement": "Too short."}, "statement", "has 2 words"),
        ({"statement": "word " * 300}, "statement", "has 300 words"),
        ({"signature": "def daily_load(loads, more):"}, "form", "the cases must pass loads, more"),
        ({"signature": "def other(loads):"}, "form", "does not define other"),
        ({"signature": "def daily_load(:"}, "form", "not Python"),
        ({"functions": ("median", "sort")}, "functions", "does not use sort"),
    ],
)
def test_faults_of_form_are_found(make_problem, vocabulary, changes, rule, text):
    faults = check.inspect_text([make_problem(**changes)], vocabulary)
    assert any(fault.rule == rule and text in fault.text for fault in faults)


def test_repeated_ids_are_found(problem, vocabulary):
    assert ("id", "is not unique") in rules(check.inspect_text([problem, problem], vocabulary))


def test_few_distinct_cases_are_found(problem, vocabulary):
    few = replace(problem, cases=problem.cases[:2] * 5)
    assert ("cases", "2 distinct cases, expected at least 8") in rules(check.inspect_text([few], vocabulary))


def test_constant_answers_are_found(problem, vocabulary):
    constant = replace(problem, cases=tuple(Case(case.arguments, 1) for case in problem.cases))
    assert ("cases", "every answer is the same") in rules(check.inspect_text([constant], vocabulary))


def test_answers_that_repeat_an_argument_are_found(problem, vocabulary):
    echo = replace(problem, cases=tuple(Case(case.arguments, case.arguments["loads"]) for case in problem.cases))
    assert ("cases", "every answer repeats the argument loads") in rules(check.inspect_text([echo], vocabulary))


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        ("1 / 0", "case 1 fails: ZeroDivisionError"),
        ("np.median(loads, axis=1)", "more than int, float, bool, complex and lists"),
        ("tuple(np.median(loads, axis=1).tolist())", "more than int, float"),
        ("[hash(str(np.median(loads)))]", "differs between two runs"),
        ("np.max(loads, axis=1).tolist()", "does not give the expected value"),
    ],
)
def test_faults_of_the_solution_are_found(make_problem, returned, text):
    source = f"import numpy as np\n\ndef daily_load(loads):\n    return {returned}\n"
    faults = check.inspect_runs([make_problem(solution=source)])
    assert any(fault.rule == "solution" and text in fault.text for fault in faults)


def test_cases_that_a_neighbour_also_solves_are_found(problem):
    pairs = tuple(Case({"loads": [[n, n + 2], [3, 2 * n]]}, [n + 1.0, (3 + 2 * n) / 2]) for n in range(8))
    faults = check.inspect_runs([replace(problem, cases=pairs)])
    assert ("neighbour", "mean in place of median gives the same answers") in rules(faults)


def test_neighbours_are_of_the_family_and_no_aliases():
    assert {"floor", "trunc"} <= set(neighbours.neighbours("ceil"))
    assert "mean" not in neighbours.neighbours("ceil")
    assert neighbours.neighbours("absolute").count("abs") == 0
    assert "fmax" not in neighbours.neighbours("maximum")
    assert "maximum" in neighbours.neighbours("fmax")


def test_a_mutant_replaces_every_use(make_problem):
    source = (
        "from numpy import median as m\nimport numpy as np\n\ndef daily_load(loads):\n    return m(np.median(loads))\n"
    )
    found = {name: text for _, name, text in neighbours.mutants(make_problem(solution=source))}
    assert "return _np.mean(_np.mean(loads))" in found["mean"]


def test_grading_tells_the_oracle_from_cheats(problem, vocabulary):
    with Pool("process", vocabulary, workers=2) as pool:
        assert check.inspect_sandbox([problem], vocabulary, pool) == []
        wrong = replace(problem, id="wrong", cases=tuple(Case(case.arguments, [0.0]) for case in problem.cases))
        [fault] = check.inspect_sandbox([wrong], vocabulary, pool)
        untranslatable = replace(
            problem, solution="import numpy as np\n\ndef daily_load(loads):\n    np.random.rand()\n"
        )
        [missing] = check.inspect_sandbox([untranslatable], vocabulary, pool)
    assert "the oracle is wrong_answer" in fault.text
    assert "random.rand" in missing.text

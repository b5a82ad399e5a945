"""The checker finds each kind of fault, and none where there is none."""

import re
from dataclasses import replace

import pytest

from sandbox.pool import Pool
from sandbox.records import Case
from sebench_tasks import check, numpy_runs
from sebench_tasks.checking import gradings, solutions, texts
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
    assert ids >= texts.PLAIN_ENGLISH


@pytest.mark.parametrize(
    ("changes", "rule", "text"),
    [
        ({"statement": "Too short."}, "statement", "has 2 words"),
        ({"statement": "word " * 300}, "statement", "has 300 words"),
        ({"signature": "def daily_load(loads, more):"}, "form", "the cases must pass loads, more"),
        ({"signature": "def other(loads):"}, "form", "does not define other"),
        ({"signature": "def daily_load(:"}, "form", "not Python"),
        ({"functions": ("median", "sort")}, "functions", "does not use sort"),
        ({"functions": ("median", "tolist")}, "functions", "about one function, this one about 2"),
        ({"kind": "multi"}, "functions", "composes at least 3"),
        ({"solution": "import numpy as np\n\n" + "# " * 10_000 + "\n"}, "size", "expected at most 20000"),
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


def test_repeated_cases_are_found(problem, vocabulary):
    repeated = replace(problem, cases=(*problem.cases, problem.cases[0]))
    assert ("cases", "1 cases repeat another") in rules(check.inspect_text([repeated], vocabulary))


def test_few_distinct_answers_are_found_unless_they_are_yes_or_no(problem, vocabulary):
    def answering(*answers):
        pairs = enumerate(problem.cases)
        return replace(problem, cases=tuple(Case(case.arguments, answers[n % 2]) for n, case in pairs))

    few = ("cases", "2 distinct answers, expected at least 3")
    assert few in rules(check.inspect_text([answering(3, 4)], vocabulary))
    assert few not in rules(check.inspect_text([answering(True, False)], vocabulary))


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


def test_functions_outside_the_catalog_are_found_and_do_not_stop_the_checker(make_problem, vocabulary):
    source = "import numpy as np\n\ndef daily_load(loads):\n    return np.nanmedian(loads, axis=1).tolist()\n"
    faults = check.inspect([make_problem(solution=source, functions=("nanmedian",))], vocabulary)
    assert rules(faults) == {("functions", "not in the catalog: nanmedian")}


def test_outcomes_keep_their_order_over_several_processes():
    jobs = [numpy_runs.Job("def same(x):\n    return x\n", "same", ({"x": n},)) for n in range(101)]
    assert [outcome.value for [outcome] in numpy_runs.run(jobs)] == list(range(101))


@pytest.mark.parametrize("waiting", ["while True: pass", "import time; time.sleep(60)"])
def test_a_call_that_does_not_end_is_stopped(waiting):
    job = numpy_runs.Job(f"def wait():\n    {waiting}\n", "wait", ({}, {}))
    [outcomes] = numpy_runs.run([job], limit_s=0.2)
    assert [outcome.error for outcome in outcomes] == ["TimeoutError: no answer within the time limit"] * 2


def test_slow_and_large_solutions_are_found(make_problem, monkeypatch):
    monkeypatch.setattr(solutions, "CASE_LIMIT_S", 0.02)
    monkeypatch.setattr(solutions, "CASE_LIMIT_BYTES", 1 << 20)
    busy = "np.ones(1 << 19)\n    until = time.process_time() + 0.1\n    while time.process_time() < until: pass\n    "
    body = f"{busy}return np.median(loads, axis=1).tolist()\n"
    source = f"import time\nimport numpy as np\n\ndef daily_load(loads):\n    {body}"
    found = [fault.text for fault in solutions.solution_faults([make_problem(solution=source)])]
    assert any(re.fullmatch(r"case 1 takes 0\.\d\d s, expected at most 0.02 s", text) for text in found)
    assert "case 1 needs 4 MiB, expected at most 1 MiB" in found


def test_a_solution_that_fails_is_not_probed_further(make_problem):
    source = "import numpy as np\n\ndef daily_load(loads):\n    return np.median(1 / 0)\n"
    assert {fault.rule for fault in check.inspect_runs([make_problem(solution=source)])} == {"solution"}


def test_grading_tells_the_oracle_from_cheats(problem, vocabulary):
    with Pool("process", vocabulary, workers=2) as pool:
        assert gradings.grading_faults([problem], vocabulary, pool) == []
        wrong = replace(problem, id="wrong", cases=tuple(Case(case.arguments, [0.0]) for case in problem.cases))
        [fault] = gradings.grading_faults([wrong], vocabulary, pool)
        untranslatable = replace(
            problem, solution="import numpy as np\n\ndef daily_load(loads):\n    np.random.rand()\n"
        )
        [missing] = gradings.grading_faults([untranslatable], vocabulary, pool)
    assert "the oracle is wrong_answer" in fault.text
    assert "random.rand" in missing.text

"""The checker finds cases that ask for less than they seem to: for no target, or for none of its arguments."""

import warnings
from dataclasses import replace

import pytest

from sandbox.records import Case
from sebench_tasks import check
from sebench_tasks.checking import mutants, neighbours, parameters, probe_process, probes, targets


@pytest.fixture
def faults(make_problem):
    """Makes the faults that a problem with this body has; its expected values are those of the body."""

    def find(body, calls, functions, signature="def answer(x):", **changes):
        space = {}
        source = f"import numpy as np\n\n{signature}\n    {body}\n"
        exec(source, space)
        cases = tuple(Case(call, space["answer"](**call)) for call in calls)
        problem = make_problem(solution=source, signature=signature, functions=functions, cases=cases, **changes)
        asked = targets.questions(problem)
        job = probes.encoded(problem, [probe for *_, probe in asked])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            findings = [probes.Finding(*one) for one in probe_process.answer(job, limit_s=60.0)]
        return {(fault.rule, fault.text) for fault in targets.faults(problem, asked, findings)}

    return find


ROWS = [{"x": [[n, 2 * n + 3], [7 - n, n * n]]} for n in range(1, 9)]
SERIES = [{"x": [3.25, n, n * n + 0.5, -n]} for n in range(1, 9)]


def test_a_good_problem_has_none(faults):
    assert faults("return np.std(x, axis=0, ddof=1).tolist()", ROWS, ("std",)) == set()


def test_a_target_that_does_not_matter_is_found(faults):
    found = faults("return float(np.sort(x)[0] * 0 + sum(x))", SERIES, ("sort",))
    assert ("target", "other results of sort give the same answers") in found


def test_a_target_whose_results_are_compared_only_matters(faults):
    found = faults(
        "r = np.ptp(np.reshape(x, (2, 2)), axis=1)\n    return (r / sum(r)).tolist()", SERIES, ("reshape", "ptp")
    )
    assert not {text for rule, text in found if rule == "target"}


def test_a_target_that_is_rarely_called_is_found(faults):
    found = faults("return np.median(x).item() if x[1] > 6 else x[1]", SERIES, ("median",))
    assert ("target", "median is called in 2 of 8 cases, expected at least half") in found


def test_a_target_that_is_an_array_method_counts(faults):
    found = faults("return np.array(x).sum(axis=0).tolist()", ROWS, ("sum",))
    assert found == set()


def test_cases_that_a_neighbour_also_solves_are_found(faults):
    found = faults(
        "return np.median(x, axis=1).tolist()", [{"x": [[n, n + 2], [3, 2 * n]]} for n in range(8)], ("median",)
    )
    assert ("mutant", "mean in place of median gives the same answers") in found


def test_cases_that_show_no_need_of_the_target_are_found(faults):
    found = faults("return np.array(np.sort(x), dtype=int).tolist()", [{"x": [n, n + 1]} for n in range(8)], ("sort",))
    assert ("mutant", "sort removed gives the same answers") in found


GAPS = [{"x": [n, 2]} for n in (0, 3, 6, 7, 8, 10, 2, 4)]


@pytest.mark.parametrize(
    ("body", "calls", "target", "mutant"),
    [
        ("return np.sum(x, axis=0).tolist()", [{"x": [[n], [n]]} for n in range(8)], "sum", None),
        ("return np.cumsum(x, axis=0).tolist()", SERIES, "cumsum", "axis=0 dropped from"),
        ("return np.diff(x, 2).tolist()", [{"x": [n, n]} for n in range(8)], "diff", "n=2 changed to 3 in"),
        ("return np.searchsorted([1, 5, 9], x, side='right').tolist()", GAPS,
         "searchsorted", "side='right' changed to 'left' in"),
        ("return np.searchsorted([1, 5, 9], x, 'right').tolist()", GAPS,
         "searchsorted", "side='right' dropped from"),
        ("return np.unique(x, return_counts=False).tolist()", SERIES, "unique", None),
        ("return np.cov(x, rowvar=True).tolist()", [{"x": [[n, 2], [2, n]]} for n in range(3, 11)], "cov",
         "rowvar=True changed to False in"),
        ("return np.corrcoef(x, rowvar=False).tolist()", [{"x": [[n, 2], [2, n]]} for n in range(3, 11)], "corrcoef",
         "rowvar=False dropped from"),
        ("return abs(np.subtract(x[0], x[1])).tolist()", ROWS, "subtract", "arguments of subtract swapped"),
    ],
)  # fmt: skip
def test_arguments_that_no_case_asks_for_are_found(faults, body, calls, target, mutant):
    found = {text for rule, text in faults(body, calls, (target,)) if rule == "mutant"}
    if mutant is None:
        assert not {text for text in found if "dropped" in text or "changed" in text}
    else:
        assert any(text.startswith(mutant) for text in found)


def test_a_mutant_may_be_listed_as_equivalent_and_only_one_that_survives(faults):
    body, name = "return abs(np.subtract(x[0], x[1])).tolist()", "arguments of subtract swapped"
    listed = {"provenance": {"equivalent": [name, "axis=0 dropped from subtract"]}}
    found = faults(body, ROWS, ("subtract",), **listed)
    assert ("mutant", f"{name} gives the same answers") not in found
    assert ("equivalent", "no mutant that gives the same answers is named 'axis=0 dropped from subtract'") in found


def test_a_mutant_must_miss_by_more_than_the_tolerance(faults):
    calls = [{"x": n} for n in range(1, 9)]
    near = faults("return float(np.exp(x)) * 1e-9", calls, ("exp",))
    assert ("mutant", "expm1 in place of exp gives the same answers") in near
    far = faults("return float(np.exp(x))", calls, ("exp",))
    assert ("mutant", "expm1 in place of exp gives the same answers") not in far


def named(problem):
    return {mutant.name: mutant.source for mutant in mutants.mutants(problem)}


def test_mutants_are_made_of_each_call_of_a_target_only(make_problem):
    source = "import numpy as np\n\ndef daily_load(loads):\n    return np.max(np.median(loads, axis=1), axis=0)\n"
    found = named(make_problem(solution=source))
    assert set(found) == {"axis=1 dropped from median", "axis=1 changed to 0 in median"}
    assert "np.max(np.median(loads), axis=0)" in found["axis=1 dropped from median"]


def test_dropping_a_positional_argument_keeps_the_later_ones_in_their_place(make_problem):
    source = "import numpy as np\n\ndef daily_load(loads):\n    return np.diff(loads, 2, 0)\n"
    found = named(make_problem(solution=source, functions=("diff",)))
    assert "np.diff(loads, axis=0)" in found["n=2 dropped from diff"]
    assert "np.diff(loads, 2)" in found["axis=0 dropped from diff"]


def test_arguments_without_influence_on_values_are_kept(make_problem):
    source = "import numpy as np\n\ndef daily_load(loads):\n    return np.argsort(loads, axis=1, kind='stable')\n"
    assert set(named(make_problem(solution=source, functions=("argsort",)))) == {"axis=1 changed to 0 in argsort"}


def test_neighbours_are_of_the_family_or_have_the_parameters_and_are_no_aliases():
    assert {"floor", "trunc", "sqrt"} <= set(neighbours.neighbours("ceil"))
    assert "mean" not in neighbours.neighbours("ceil")
    assert {"abs", "fabs"}.isdisjoint(neighbours.neighbours("absolute"))
    assert "fmax" not in neighbours.neighbours("maximum")
    assert "maximum" in neighbours.neighbours("fmax")
    assert "subtract" not in neighbours.neighbours("not_equal")


def test_parameters_are_those_of_the_catalog():
    known = {parameter.name: parameter for parameter in parameters.of("std")}
    assert known["ddof"].default == 0
    assert known["a"].default is parameters.NO_DEFAULT
    assert known["where"].default is ...
    assert parameters.required("searchsorted") == ("a", "v")


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import numpy as np", "np.median(loads, axis=1)"),
        ("import numpy", "numpy.median(loads, axis=1)"),
        ("from numpy import median as middle", "middle(loads, axis=1)"),
        ("import numpy as np\nimport numpy.linalg as la", "np.median(loads, axis=1) + 0 * la.norm([0])"),
    ],
)
def test_targets_are_followed_however_they_are_imported(make_problem, imports, call):
    problem = make_problem(solution=f"{imports}\n\ndef daily_load(loads):\n    return list(map(float, {call}))\n")
    assert check.inspect_runs([problem]) == []


def test_altering_a_vectorized_function_alters_what_it_returns(faults):
    body = "return [int(v) for v in np.vectorize(lambda one: one // 2 + 1)(x)]"
    found = faults(body, [{"x": [n, 3 * n + 1]} for n in range(8)], ("vectorize",))
    assert not {text for rule, text in found if rule == "target"}


def test_a_solution_that_changes_its_arguments_is_probed_with_fresh_ones(problem):
    body = "loads.reverse()\n    return np.median(loads, axis=1).tolist()"
    source = f"import numpy as np\n\ndef daily_load(loads):\n    {body}\n"
    cases = tuple(Case(case.arguments, case.expected[::-1]) for case in problem.cases)
    assert check.inspect_runs([replace(problem, solution=source, cases=cases)]) == []

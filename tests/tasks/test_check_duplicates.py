"""The checker finds problems that repeat each other."""

from dataclasses import replace

import pytest

from sebench_tasks.checking.duplicates import duplicate_faults, normal_form

OTHER_STORY = (
    "An orchard weighs the apples of each tree at harvest. Given loads, a list with the kilograms of every basket that "
    "came from one tree, for several trees, return for each tree, in order, the weight that splits its baskets in half."
)
OTHER_SOLUTION = "import numpy as np\n\ndef daily_load(loads):\n    return [float(np.median(row)) for row in loads]\n"


@pytest.fixture
def other(make_problem):
    """A problem about the same function that tells another story and is solved otherwise."""
    return make_problem(id="other", statement=OTHER_STORY, solution=OTHER_SOLUTION)


def test_different_problems_have_no_faults(problem, other):
    assert duplicate_faults([problem, other]) == []


def test_statements_that_share_word_runs_are_found(problem, other):
    copied = replace(
        other, statement=problem.statement.replace("several days", "12 days").replace("warehouse", "Depot")
    )
    faults = duplicate_faults([problem, replace(copied, functions=("sort",))])
    assert [fault.problem_id for fault in faults] == ["other"]
    assert "of the word runs are those of warehouse_daily_load, expected under 20%" in faults[0].text


def test_only_checked_problems_are_blamed(problem, other):
    copied = replace(other, statement=problem.statement)
    assert {fault.problem_id for fault in duplicate_faults([copied], [problem])} == {"other"}
    assert duplicate_faults([], [problem, copied]) == []


def test_one_scenario_twice_for_one_function_is_found(problem, other):
    told_again = "For each gate of the warehouse count the pallets that were handled; notes of the days follow. "
    retold = replace(other, statement=told_again + "The middle count halfway between counts is wanted.")
    assert any("scenario words" in fault.text for fault in duplicate_faults([problem, retold]))
    assert duplicate_faults([problem, replace(retold, functions=("mean",))]) == []
    assert duplicate_faults([problem, replace(retold, kind="multi")]) == []


@pytest.mark.parametrize(
    "same",
    [
        "import numpy as np\n\ndef middle(rows):\n    return np.median(rows, axis=1).tolist()\n",
        "import numpy\n\ndef middle(rows):\n    '''Says what.'''\n    return numpy.median(rows, axis=1).tolist()\n",
        "from numpy import median\n\ndef m(x):\n    return median(x, axis=1).tolist()\n",
    ],
)
def test_solutions_that_differ_in_names_only_are_found(problem, other, same):
    [fault] = duplicate_faults([replace(other, solution=same)], [problem])
    assert fault.text == "the solution is that of warehouse_daily_load under other names"


@pytest.mark.parametrize(
    "different",
    [
        "import numpy as np\n\ndef middle(rows):\n    return np.median(rows, axis=0).tolist()\n",
        "import numpy as np\n\ndef middle(rows):\n    return np.mean(rows, axis=1).tolist()\n",
    ],
)
def test_other_constants_and_functions_make_another_solution(problem, different):
    assert normal_form(different) != normal_form(problem.solution)


def test_names_are_told_apart(problem):
    one = "def f(a, b):\n    c = a - b\n    return [c for c in b]\n"
    assert normal_form(one) == normal_form(one.replace("a", "x").replace("b", "y"))
    assert normal_form(one) != normal_form(one.replace("a - b", "b - a"))

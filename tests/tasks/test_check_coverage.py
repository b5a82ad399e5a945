"""The checker counts what the set as a whole lacks."""

from sebench_tasks.checking import coverage
from zwc.catalog import load


def test_a_function_lacks_what_is_not_there(make_problem):
    row = next(row for row in coverage.rows([make_problem()]) if row.function_id == "median")
    assert row.counts == {"single_test": 1, "single_train": 0, "multi_test": 0}
    assert row.text == "2 single_train, 4 multi_test"


def test_every_function_is_counted_or_untestable_for_a_reason():
    counted = {row.function_id for row in coverage.rows([])}
    assert counted | set(coverage.untestable()) == set(load())
    assert counted.isdisjoint(coverage.untestable())
    assert all(len(reason) > 20 for reason in coverage.untestable().values())


def test_a_small_set_has_faults_of_size_and_coverage(make_problem):
    texts = [fault.text for fault in coverage.set_faults([make_problem()])]
    assert "1 single_test problems, expected at least 268" in texts
    assert "median lacks 2 single_train, 4 multi_test" in texts


def test_frequent_pairs_are_found(make_problem):
    names = list(load())
    many = [make_problem(id=f"p{n}", kind="multi", functions=tuple(names[3 * n : 3 * n + 3])) for n in range(48)] + [
        make_problem(id=f"q{n}", kind="multi", functions=("sort", "mean", names[n])) for n in range(2)
    ]
    assert not [fault for fault in coverage.total_faults(many) if fault.rule == "pairs"]
    more = [*many, make_problem(id="r", kind="multi", functions=("mean", "sort", "abs"))]
    [fault] = [fault for fault in coverage.total_faults(more) if fault.rule == "pairs"]
    assert fault.text == "mean and sort occur together in 3 of 51 multi problems, expected at most 4%"

"""Statistics on results, and the gate's judgement."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sebench_tasks.results import gate_files, tables
from sebench_tasks.results.gate import Check, Standing, judge
from sebench_tasks.results.records import Attempt, Result, Setting, faults_of, kind_of
from sebench_tasks.results.statistics import difference, mean

SETTING = Setting("a1", "b2", "closed", "2", "1")
rates = st.dictionaries(st.text("abcdefgh", min_size=1), st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1)


def result(passed: int, of: int, kind: str = "single", **changed: object) -> Result:
    attempts = {f"p{i}": [Attempt("passed" if i < passed else "wrong_answer")] for i in range(of)}
    return replace(Result("file", "lm-eval", "model", kind, SETTING, of, attempts), **changed)


@given(rates)
def test_an_interval_holds_its_mean_and_stays_in_range(found: dict[str, float]) -> None:
    given = mean(found)
    assert 0 <= given.low <= given.value <= given.high <= 1
    assert given.problems == len(found)


def test_an_interval_of_single_samples_is_wilsons() -> None:
    found = mean({str(i): float(i < 30) for i in range(100)})
    assert (round(found.low, 3), round(found.high, 3)) == pytest.approx((0.219, 0.396), abs=2e-3)
    none = mean({str(i): 0.0 for i in range(100)})
    assert none.low == 0
    assert none.high == pytest.approx(0.037, abs=1e-3)


def test_samples_of_one_problem_do_not_count_as_independent() -> None:
    """The same problems with eight samples each that always agree know no more than with one."""
    one = {str(i): float(i < 30) for i in range(100)}
    assert mean(one) == mean(dict(one))
    spread = mean({str(i): 0.3 for i in range(100)} | {"x": 0.4})
    assert spread.high - spread.low < mean(one).high - mean(one).low


def test_intervals_cover_the_truth() -> None:
    rng, hits = random.Random(1), 0
    for _ in range(400):
        found = mean({str(i): float(rng.random() < 0.2) for i in range(150)})
        hits += found.low <= 0.2 <= found.high
    assert 0.91 < hits / 400 < 0.985


@given(rates, rates)
def test_differences_are_antisymmetric(first: dict[str, float], second: dict[str, float]) -> None:
    if not first.keys() & second.keys():
        with pytest.raises(ValueError, match="share no problem"):
            difference(first, second)
        return
    there, back = difference(first, second), difference(second, first)
    assert there.value == pytest.approx(-back.value)
    assert (set(there.gained), set(there.lost)) == (set(back.lost), set(back.gained))
    assert there.low <= there.value <= there.high
    assert 0 < there.p_value <= 1


def test_a_paired_difference_sees_what_two_intervals_do_not() -> None:
    first = {str(i): float(i < 50) for i in range(100)}
    second = {
        key: 1.0 if key in ("50", "51", "52", "53", "54", "55", "56", "57") else rate for key, rate in first.items()
    }
    found = difference(first, second)
    assert found.value == pytest.approx(0.08)
    assert found.p_value < 0.02
    assert found.low > 0


def test_p_values_of_equal_models_are_even() -> None:
    rng, small = random.Random(2), 0
    for trial in range(200):
        pairs = [(float(rng.random() < 0.4), float(rng.random() < 0.4)) for _ in range(80)]
        first = {str(i): a for i, (a, _) in enumerate(pairs)}
        small += difference(first, {str(i): b for i, (_, b) in enumerate(pairs)}, seed=trial).p_value < 0.1
    assert 0.04 < small / 200 < 0.17


def test_a_detectable_drop_is_found_four_times_in_five() -> None:
    rng, found = random.Random(3), 0
    base = {str(i): 1.0 for i in range(200)}
    errors = [difference(base, {k: float(rng.random() > 0.1) for k in base}).detectable for _ in range(30)]
    size = sum(errors) / len(errors)
    z = NormalDist().inv_cdf(0.95)
    for _ in range(300):
        drop = difference(base, {k: float(rng.random() > size) for k in base}, confidence=0.90)
        found += drop.high < 0
    assert found / 300 > 0.75
    assert z > 1.6


@pytest.mark.parametrize(
    ("problems", "kind"),
    [
        ("single_test", "single"),
        ("multi_test@mean+sort", "multi"),
        ("official_multi", "multi"),
        ("single", "single"),
        ("/x/mine.jsonl", "/x/mine.jsonl"),
    ],
)
def test_kinds(problems: str, kind: str) -> None:
    assert kind_of(problems) == kind


def standings(checks: list[Check]) -> list[str]:
    return [check.standing.value for check in checks]


def test_thresholds() -> None:
    assert standings(judge([result(40, 100)], {"single": 0.4})) == ["passed", "passed"]
    low = judge([result(39, 100)], {"single": 0.4})
    assert standings(low) == ["passed", "failed"]
    assert "within the noise" in low[1].text
    assert standings(judge([result(40, 100)], {"multi": 0.1})) == ["passed", "unjudged"]
    under_open = replace(SETTING, condition="open")
    assert standings(judge([result(90, 100, setting=under_open)], {"single/open": 0.8})) == ["passed", "passed"]


def test_partial_results_are_never_passed() -> None:
    faults = tuple(faults_of(100, result(8, 8).attempts, 1))
    assert faults == ("8 of 100 problems were graded",)
    partial = result(8, 8, problem_count=100, faults=faults)
    assert standings(judge([partial], {"single": 0.1})) == ["unjudged", "passed"]
    ungraded = {"a": [Attempt("passed")], "b": []}
    assert faults_of(2, ungraded, 1) == ["1 problems lack graded responses (b has 0 of 1)"]


def test_a_drop_within_noise_passes_and_one_beyond_fails() -> None:
    before = result(60, 200)
    assert standings(judge([result(57, 200)], {}, [before], 0.0))[-1] == "passed"
    assert standings(judge([result(40, 200)], {}, [before], 0.0))[-1] == "failed"
    assert standings(judge([result(40, 200)], {}, [before], 0.2))[-1] == "passed"
    [*_, check] = judge([result(57, 200)], {}, [before], 0.0)
    assert "more than allowed but within noise" in check.text
    assert "or more would be found" in check.text


def test_five_problems_turned_one_way_are_beyond_chance_and_four_are_not() -> None:
    before = result(60, 200)
    assert standings(judge([result(56, 200)], {}, [before], 0.0))[-1] == "passed"
    assert standings(judge([result(55, 200)], {}, [before], 0.0))[-1] == "failed"


def test_what_is_not_comparable_is_not_judged_unless_told_to() -> None:
    other = result(60, 200, setting=replace(SETTING, problem_set_hash="ff", task_version="2"))
    [*_, check] = judge([result(57, 200)], {}, [other], 0.02)
    assert check.standing is Standing.UNJUDGED
    assert "problem set hash ff against a1" in check.text
    assert "task version 2 against 1" in check.text
    assert standings(judge([result(57, 200)], {}, [other], 0.02, allow_mismatch=True))[-1] == "passed"


def test_missing_sides_are_not_judged() -> None:
    both = [result(60, 200), result(10, 50, "multi")]
    assert standings(judge(both[:1], {}, both, 0.02))[-1] == "unjudged"
    assert standings(judge(both, {}, both[:1], 0.02))[-1] == "unjudged"
    assert "unjudged" in standings(judge([both[0], both[0]], {"single": 0.1}))


def known(kind: str, passing: dict[str, tuple[str, ...]], **about: tuple[str, ...]) -> Result:
    """A result whose attempts pass where named, with the functions called."""
    verdicts = {key: "passed" if key in passing else "wrong_answer" for key in about}
    attempts = {key: [Attempt(verdict, (), passing.get(key, ()))] for key, verdict in verdicts.items()}
    return replace(result(0, 1, kind), attempts=attempts, functions=about, problem_count=len(about))


def test_recall_counts_functions_used_in_right_answers() -> None:
    rows = tables.recall([known("single", {"a": ("mean",), "b": ()}, a=("mean",), b=("sort",), c=("mean",))])
    found = {row["function"]: (row["problems"], row["called"], row["passed"], row["known"]) for row in rows}
    assert found == {"mean": (2, 1, 1, True), "sort": (1, 0, 0, False)}


def test_composition_tells_knowing_from_composing() -> None:
    single = known("single", {"a": ("mean",), "b": ("sort",)}, a=("mean",), b=("sort",), c=("diff",))
    multi = known("multi", {"x": ("mean", "sort")}, x=("mean", "sort"), y=("sort", "mean"), z=("mean", "diff"))
    [row] = tables.composition([single, multi])
    assert row == {
        "checkpoint": "model",
        "all known: problems": 2,
        "all known: solved": 0.5,
        "some unknown: problems": 1,
        "some unknown: solved": 0.0,
    }


def test_scores_give_pass_at_k_where_samples_allow() -> None:
    attempts = {"a": [Attempt("passed"), Attempt("no_code")], "b": [Attempt("no_code")] * 2}
    [row] = tables.scores([replace(result(0, 1), attempts=attempts)])
    assert (row["mean"], row["pass@2"], row["samples"]) == (0.25, 0.5, 2)
    assert "pass@1" not in row


def test_turned_problems_are_named_and_strangers_refused() -> None:
    first, second = result(2, 4), result(3, 4)
    [row] = tables.turned([first, second])
    assert (row["gained"], row["lost"]) == (["p2"], [])
    [row] = tables.turned([first, replace(second, setting=replace(SETTING, vocabulary_fingerprint="z"))])
    assert row["not compared"] == "vocabulary fingerprint b2 against z"
    assert tables.turned([first, result(3, 4, "multi")]) == []


def test_files_for_people_and_services() -> None:
    from xml.etree import ElementTree

    checks = judge([result(39, 100)], {"single": 0.4, "multi": 0.1})
    suite = ElementTree.fromstring(gate_files.junit(checks))
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    assert [child.tag for case in suite for child in case] == ["system-out", "failure", "error"]
    assert gate_files.markdown(checks).count("\n") == 5

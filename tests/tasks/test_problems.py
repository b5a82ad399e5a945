"""Problem records, the built file, sources and literals."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.comparison import agree
from sandbox.records import Case, Tolerance
from sebench_tasks import build, inspect_tasks, problems, task_version
from sebench_tasks.errors import BuildError, LiteralError, ProblemFormatError, SourceError
from sebench_tasks.literals import parse_arguments, parse_printed
from sebench_tasks.prompts import value_text

SOURCE = '''
[[problem]]
id = "first"
functions = ["sum"]
signature = "def total(values):"
statement = "Add the values."
solution = """
import numpy as np

def total(values):
    return float(np.sum(values))
"""
cases = ["values=[1, 2.5]", "values=[float('nan')]", "values=[-1, -2]"]

[[problem]]
id = "second"
functions = ["max"]
signature = "def top(values):"
statement = "Take the largest."
solution = """
import numpy as np

def top(values):
    return int(np.max(values))
"""
cases = ["values=[1, 2]"]
tolerance = { relative = 1e-3 }
'''

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=8,
)


def source_folder(tmp_path: Path, text: str = SOURCE) -> Path:
    (tmp_path / "single_test").mkdir(parents=True)
    (tmp_path / "single_test" / "sums.toml").write_text(text)
    return tmp_path


@UNHURRIED
@given(st.dictionaries(st.sampled_from("abc"), plain, min_size=1), plain)
def test_a_record_survives_the_file(make_problem, arguments, expected):
    problem = make_problem(cases=(Case(arguments, expected),), tolerance=Tolerance(0.5, 0.25))
    text = build.to_text([problem])
    [read] = problems.parse_lines([text], "file")
    assert build.to_text([read]) == text
    assert problems.content_hash([read]) == problems.content_hash([problem])


def test_the_hash_depends_on_content_and_not_on_order(make_problem, problem):
    other = make_problem(id="other")
    assert problems.content_hash([problem, other]) == problems.content_hash([other, problem])
    changed = make_problem(statement=problem.statement + " More.")
    assert problems.content_hash([problem]) != problems.content_hash([changed])
    assert len(problems.content_hash([problem])) == 12


def test_an_unknown_source_names_the_accepted_ones():
    with pytest.raises(SourceError, match=r"'nothing'.*single_test.*official:PATH"):
        problems.load("nothing")


def test_a_source_can_be_narrowed_to_functions(tmp_path):
    about = problems.load("single_test@mean+median")
    assert {function for problem in about for function in problem.functions} == {"mean", "median"}
    path = tmp_path / "a@b.jsonl"
    build.write(about, path)
    assert problems.load(path) == about
    assert [problem.functions for problem in problems.load(f"{path}@mean")] == [("mean",)] * sum(
        problem.functions == ("mean",) for problem in about
    )
    assert all(set(problem.functions) <= {"mean", "sum", "max"} for problem in problems.load("all@mean+sum+max"))
    with pytest.raises(SourceError, match="no function 'meann'"):
        problems.load("single_test@mean+meann")
    with pytest.raises(SourceError, match="unknown problem source 'nothing'"):
        problems.load("nothing@mean")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "double"}, "'kind' must be one of single, multi"),
        ({"functions": []}, "'functions'"),
        ({"functions": [1]}, "'functions' must hold text"),
        ({"cases": [{"arguments": {}}]}, "a case has 'arguments' and 'expected'"),
        ({"cases": [{"arguments": {}, "expected": {"q": 1}}]}, "cannot be decoded"),
        ({"signature": "total(values)"}, "def name"),
        ({"tolerance": {"relative": -1}}, "0 or more"),
        ({"tolerance": {"exact": 1}}, "unknown tolerance field"),
        ({"surprise": 1}, "unknown problem field 'surprise'"),
        ({"statement": None}, "'statement' must be text"),
    ],
)
def test_a_malformed_record_is_named_by_file_and_line(tmp_path, problem, change, message):
    file = tmp_path / "some.jsonl"
    record = problems.to_record(problem)
    file.write_text(json.dumps(record) + "\n" + json.dumps(record | change) + "\n")
    with pytest.raises(ProblemFormatError, match=message) as caught:
        problems.load(str(file))
    assert f"{file}:2:" in str(caught.value)


def test_broken_json_is_named_by_file_and_line(tmp_path):
    file = tmp_path / "some.jsonl"
    file.write_text("\n{broken\n")
    with pytest.raises(ProblemFormatError, match=rf"{file}:2: not JSON"):
        problems.load(str(file))


def test_repeated_ids_are_refused(tmp_path, problem):
    file = tmp_path / "some.jsonl"
    file.write_text(build.to_text([problem, problem]))
    with pytest.raises(ProblemFormatError, match="repeated: warehouse_daily_load"):
        problems.load(str(file))


def test_build_computes_expected_values(tmp_path):
    first, second = build.build(source_folder(tmp_path))
    assert [case.expected for case in first.cases[::2]] == [3.5, -3.0]
    assert math.isnan(first.cases[1].expected)
    assert second.cases[0].expected == 2
    assert second.tolerance == Tolerance(1e-3, Tolerance().absolute)
    assert (first.kind, first.split, first.entry_point) == ("single", "test", "total")


def test_build_is_stable_and_sees_what_is_stale(tmp_path):
    folder, target = source_folder(tmp_path / "sources"), tmp_path / "built.jsonl"
    assert build.stale(build.build(folder), target) == [f"{target} does not exist"]
    build.write(build.build(folder), target)
    assert build.to_text(build.build(folder)) == target.read_text()
    assert build.stale(build.build(folder), target) == []
    target.write_text(target.read_text().replace("3.5", "3.6"))
    assert build.stale(build.build(folder), target) == ["first: changed"]


def test_a_rebuild_keeps_values_that_differ_by_rounding_only(tmp_path):
    folder = source_folder(tmp_path)
    built = build.build(folder)
    target = tmp_path / "built.jsonl"
    target.write_text(build.to_text(built).replace("3.5", "3.5000000000000004"))
    known = problems.read(target)
    assert build.to_text(build.build(folder, known)) == target.read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('functions = ["sum"]\n', "", "missing"),
        ('id = "second"', 'id = "first"', "repeated: first"),
        ("values=[1, 2.5]", "values=[1, two]", "not a plain value: two"),
        ("values=[1, 2.5]", "[1, 2.5]", "keyword arguments"),
        ('id = "second"', "id = second", "not TOML"),
    ],
)
def test_a_malformed_source_is_refused(tmp_path, old, new, message):
    folder = source_folder(tmp_path, SOURCE.replace(old, new))
    with pytest.raises(ProblemFormatError, match=message):
        build.build(folder)


def test_a_fault_of_a_source_is_named_by_line(tmp_path):
    folder = source_folder(tmp_path, SOURCE.replace("values=[1, 2]", "values=print(1)"))
    with pytest.raises(ProblemFormatError, match=r"sums\.toml:15: second: not a plain value"):
        build.build(folder)


def test_a_failing_solution_stops_the_build(tmp_path):
    folder = source_folder(tmp_path, SOURCE.replace("values=[1, 2]", "values=[]"))
    with pytest.raises(BuildError, match="second: the solution fails on case 1: ValueError"):
        build.build(folder)


@UNHURRIED
@given(plain)
def test_written_values_are_read_back(value):
    read = parse_arguments(f"x={value_text(value)}")["x"]
    assert problems.encoded_text(read) == problems.encoded_text(value)


def test_arguments_take_the_words_for_special_floats():
    read = parse_arguments("a=-float('inf'), b=[float('nan')], c=1-2j, d=(1,), e=-3")
    assert read["a"] == -math.inf
    assert math.isnan(read["b"][0])
    assert (read["c"], read["d"], read["e"]) == (1 - 2j, (1,), -3)


@pytest.mark.parametrize(
    "text",
    ["1", "a=1, a=2", "**{}", "a=open('x')", "a=b", "a=1+2", "a=[x for x in y]", "a=-'b'", "a=array([1])", "a=("],
)
def test_arguments_refuse_what_is_no_literal(text):
    with pytest.raises(LiteralError):
        parse_arguments(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2.5]", [1, 2.5]),
        ("(array([1., 2.]), array([], dtype=float64))", ([1.0, 2.0], [])),
        ("[np.float64(2.0), np.int64(-3), np.True_]", [2.0, -3, True]),
        ("array([1.+2.j, -3.-4.j])", [1 + 2j, -3 - 4j]),
        ("[[1.  2.5 1. ]\n [3.7 0.  -4. ]]", [[1.0, 2.5, 1.0], [3.7, 0.0, -4.0]]),
        ("[ True False]", [True, False]),
        ("[1 -2]", [1, -2]),
        ("{'U': [inf], 0: (1+2j)}", {"U": [math.inf], 0: 1 + 2j}),
        ("np.complex128(1-2j)", 1 - 2j),
        ("'text'", "text"),
    ],
)
def test_printed_values_become_plain_data(text, value):
    assert parse_printed(text) == value


@pytest.mark.parametrize("text", ["[1 2 ... 9]", "[1, ..., 9]", "<object>", "", "exit()", "float('x')"])
def test_printed_text_that_is_no_value_is_refused(text):
    with pytest.raises(LiteralError):
        parse_printed(text)


def test_a_changed_test_problem_makes_a_new_task_version(tmp_path, make_problem):
    test, train = make_problem(id="a", split="test"), make_problem(id="b", split="train")
    assert task_version.changed(task_version.read(tmp_path), [test, train]) == ["single_test", "multi_test"]
    task_version.raise_number(tmp_path, [test, train])
    first = task_version.read(tmp_path)
    assert first.number == 1
    assert task_version.changed(first, [test, make_problem(id="b", split="train", statement="Other.")]) == []
    for other in ([make_problem(id="a", split="test", statement="Other."), train], [train], [test, train, multi(test)]):
        assert task_version.changed(first, other)
    assert task_version.raise_number(tmp_path, [train]).number == 2
    (tmp_path / task_version.FILE).write_text("version = 1")
    with pytest.raises(ProblemFormatError, match=r"version\.toml: expected"):
        task_version.read(tmp_path)


def multi(problem):
    return replace(problem, id="c", kind="multi")


def test_the_task_version_is_that_of_the_problems():
    version = task_version.read(build.SOURCES)
    assert task_version.changed(version, problems.load("all")) == []
    assert inspect_tasks.TASK_VERSION.partition("-")[0] == str(version.number)


def test_the_built_file_is_a_dataset(tmp_path):
    datasets = pytest.importorskip("datasets", reason="needs the extra `lm-eval`")
    table = datasets.load_dataset("json", data_files=str(build.TARGET), split="train", cache_dir=str(tmp_path))
    own = {problem.id: problem for problem in problems.load("all")}
    assert len(table) == len(own)
    for row in table:
        read, known = problems.from_record({**row, "tolerance": row.get("tolerance")}), own[row["id"]]
        assert (read.statement, read.functions, read.solution) == (known.statement, known.functions, known.solution)
        for case, other in zip(read.cases, known.cases, strict=True):
            # The library rounds floats to ten places.
            assert agree(case.expected, other.expected, Tolerance(1e-9, 1e-9))


def test_every_test_problem_carries_the_canary():
    carrying = {problem.provenance.get("canary") == build.CANARY for problem in problems.load("test")}
    assert carrying == {True}
    assert not any("canary" in problem.provenance for problem in problems.load("train"))

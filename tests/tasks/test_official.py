"""Import of the official data set."""

import json
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from sandbox.comparison import agree
from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.guests import Ended, Returned, RunRecord
from sandbox.pool import Pool
from sandbox.records import Outcome
from sebench_tasks import build, numpy_runs, official, oracle, problems, reconciliation
from sebench_tasks.cli import app
from sebench_tasks.errors import ProblemFormatError, SourceError
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.prompts import Condition
from tests.conftest import launcher_or_skip
from tests.tasks import shortcuts
from zwc.vocabulary import Vocabulary

# Rows of the part that lies beside the checkout whose own solution cannot pass; docs/official-data.md says why.
NEEDS_NO_LIBRARY = {62, 66}
RAISES = {64, 83, 129}
CONTRADICTS = {4, 11, 14, 27, 38, 51, 52, 75, 76, 82, 84, 123, 129}
DEPENDS_ON_THE_MACHINE = {113, 120}

SOLUTION = "\nimport numpy as np\n\ndef solve(x):\n    return np.linalg.trace(np.array(x))\n"
ROW = {
    "selected_functions": ["trace"],
    "query": "Sum the diagonal.",
    "test_cases": [{"input": "x=[[1, 2], [3, 4.5]]", "output": "wrong"}, {"input": "x=[[1]]", "output": "0"}],
    "example_output": [SOLUTION],
    "function_name": "def solve(x):",
    "right_exe_result": "5.5#np.int64(1)",
}


def write_rows(tmp_path, *rows, name="multi_test"):
    file = tmp_path / f"{name}.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_a_row_becomes_a_problem(tmp_path):
    [problem] = problems.load(f"official-recorded:{write_rows(tmp_path, ROW)}")
    assert (problem.id, problem.kind, problem.split) == ("multi_test/0", "multi", "test")
    assert problem.functions == ("linalg.trace",)
    assert [case.expected for case in problem.cases] == [5.5, 1]
    assert (problem.tolerance.relative, problem.tolerance.absolute) == (0.0, 1e-2)


def test_a_name_of_both_modules_follows_the_solution(tmp_path):
    main = ROW | {"example_output": [SOLUTION.replace("np.linalg.trace", "np.trace")]}
    [problem] = official.load(write_rows(tmp_path, main, name="single_train"), reconcile=False)
    assert (problem.functions, problem.split) == (("trace",), "train")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"right_exe_result": "5.5"}, "1 results for 2 cases"),
        ({"right_exe_result": "5.5#<object>"}, "not a"),
        ({"selected_functions": ["nothing"]}, "unknown function 'nothing'"),
        ({"function_name": "def other(x):"}, "does not define 'other'"),
        ({"test_cases": []}, "'test_cases'"),
        ({"example_output": [""]}, "'example_output'"),
        ({"query": 3}, "'query'"),
    ],
)
def test_an_unreadable_row_is_refused_or_returned(tmp_path, change, reason):
    file = write_rows(tmp_path, ROW, ROW | change)
    with pytest.raises(ProblemFormatError, match=reason) as caught:
        official.load(file, reconcile=False)
    assert f"{file}:2:" in str(caught.value)
    read, [rejected] = official.load_lenient(file)
    assert [problem.id for problem in read] == ["multi_test/0"]
    assert rejected.line == 2
    assert reason in rejected.reason


@pytest.mark.parametrize("form", problems.OFFICIAL_FORMS)
def test_a_missing_file_is_named(form):
    with pytest.raises(SourceError, match="no official problem file at nowhere"):
        problems.load(f"{form}:nowhere")


def answer(problem, value):
    return oracle.fenced(f"import zwc\n\ndef solve(x):\n    return {value}\n")


def test_either_answer_counts_where_the_solution_contradicts_the_record(tmp_path):
    row = ROW | {"right_exe_result": "7.5#1", "selected_functions": ["add"]}
    row["example_output"] = [SOLUTION.replace("np.linalg.trace(np.array(x))", "np.add(np.array(x)[0][0], 4.5)")]
    [problem] = official.load(write_rows(tmp_path, row), sandbox="process")
    assert [case.alternatives for case in problem.cases] == [(5.5,), (5.5,)]
    assert problem.provenance["contradicts_its_solution"] == [0, 1]
    assert "solution_raises" not in problem.provenance
    add = Vocabulary.default().qualified("add")
    answers = [f"{add}(x[0][0], 4.5)", f"{add}(0, 7.5 if len(x) > 1 else 1)", f"{add}(x[0][0], 5.5)"]
    with Pool("process", workers=1) as pool:
        requests = [grading_request(problem, answer(problem, value), Condition.CLOSED) for value in answers]
        verdicts = [verdict.outcome for verdict in pool.grade_all(requests)]
    assert verdicts == [Outcome.PASSED, Outcome.PASSED, Outcome.WRONG_ANSWER]


def test_cases_in_which_the_solution_raises_are_left_out_and_noted(tmp_path):
    row = ROW | {"test_cases": [*ROW["test_cases"], {"input": "x=3"}], "right_exe_result": "5.5#1#3"}
    [problem] = official.load(write_rows(tmp_path, row), sandbox="process")
    assert problem.provenance["solution_raises"] == [2]
    assert len(problem.cases) == 2
    assert "contradicts_its_solution" not in problem.provenance
    assert not any(case.alternatives for case in problem.cases)


@pytest.mark.parametrize("solution", ["def solve(x):\n    return 1 / 0\n", "1 / 0\ndef solve(x):\n    pass\n"])
def test_all_cases_stay_if_the_solution_raises_in_all(tmp_path, solution):
    [problem] = official.load(write_rows(tmp_path, ROW | {"example_output": [solution]}), sandbox="process")
    assert [case.expected for case in problem.cases] == [5.5, 1]
    assert set(problem.provenance) == {"source"}


@pytest.mark.parametrize(
    ("stopped", "results", "reason"),
    [
        ("wall", {0: Returned(5.5), 1: Returned(1)}, "stopped: wall"),
        (None, {0: Returned(5.5)}, "no result of its solution for case 1: it broke"),
        (None, {}, "for case 0: it broke"),
    ],
)
def test_a_run_without_all_results_is_no_statement_about_cases(tmp_path, stopped, results, reason):
    recorded = official.load(write_rows(tmp_path, ROW), reconcile=False)
    record = RunRecord(results, stopped, 0.1, Ended(0, 0.1, 1), None, None, "it broke\n")
    with pytest.raises(SandboxError, match=f"multi_test/0: .*{reason}"):
        reconciliation.reconcile(recorded, SimpleNamespace(workers=1, run=lambda job: record))


def test_listing_showing_and_answering_run_no_official_solution(tmp_path, monkeypatch):
    monkeypatch.setattr(reconciliation, "reconcile", None)
    source = f"official:{write_rows(tmp_path, ROW)}"
    output = tmp_path / "oracle.jsonl"
    for command in (
        ["problems", "list", source],
        ["problems", "show", "multi_test/0", "--problems", source],
        ["oracle", "--problems", source, "--output", str(output)],
    ):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output


def test_alternatives_survive_the_built_form_and_change_the_hash(tmp_path):
    file = write_rows(tmp_path, ROW | {"right_exe_result": "5.5#2"})
    recorded, [reconciled] = official.load(file, reconcile=False), official.load(file, sandbox="process")
    [read] = problems.parse_lines([build.to_text([reconciled])], "file")
    assert read.cases[1].alternatives == (1,)
    assert problems.content_hash([read]) == problems.content_hash([reconciled])
    assert problems.content_hash([read]) != problems.content_hash(recorded)


def test_alternatives_are_rounded_far_below_the_tolerance():
    value = ([1 / 3, -1e-17], {"z": 2 / 3 + 1j / 3}, 10**30, True)
    assert reconciliation._rounded(value) == ([0.333333, 0.0], {"z": 0.666667 + 0.333333j}, 10**30, True)


def test_solutions_run_once_for_each_state_of_a_file(tmp_path, monkeypatch):
    runs = []
    original = reconciliation.reconcile
    monkeypatch.setattr(reconciliation, "reconcile", lambda *args: runs.append(1) or original(*args))
    file = write_rows(tmp_path, ROW)
    first, second = official.load(file, sandbox="process"), official.load(file, sandbox="process")
    assert (first, len(runs)) == (second, 1)
    assert first is not second
    write_rows(tmp_path, ROW, ROW)
    assert len(official.load(file, sandbox="process")) == 2
    assert len(runs) == 2


def test_without_a_sandbox_the_error_names_the_way_out(tmp_path):
    file = write_rows(tmp_path, ROW)
    with pytest.raises(SandboxUnavailable, match=r"unknown sandbox 'nowhere'[^$]*official-recorded:.*reconcile=False"):
        problems.load(f"official:{file}", sandbox="nowhere")


@pytest.fixture(scope="module")
def official_vocabulary(official_folder):
    return Vocabulary.from_official(official_folder / "api_doc.jsonl")


@pytest.fixture(scope="module")
def official_pool(official_vocabulary):
    with Pool(launcher_or_skip("bwrap"), official_vocabulary, workers=2) as pool:
        yield pool


@pytest.fixture(scope="module")
def reconciled(official_folder, official_pool):
    return official.load(official_folder / "single_test_part.jsonl", sandbox=official_pool.launcher.name)


def failing_rows(official_pool, reconciled, response, condition=Condition.CLOSED):
    """Outcome by row of what does not pass."""
    requests = [grading_request(problem, response(problem), condition) for problem in reconciled]
    outcomes = [verdict.outcome for verdict in official_pool.grade_all(requests)]
    return {row: outcome for row, outcome in enumerate(outcomes) if outcome is not Outcome.PASSED}


def test_rows_that_contradict_themselves_are_known(reconciled):
    noted = {name: {row for row, problem in enumerate(reconciled) if name in problem.provenance}
             for name in ("contradicts_its_solution", "solution_raises")}  # fmt: skip
    assert noted["contradicts_its_solution"] - DEPENDS_ON_THE_MACHINE == CONTRADICTS
    assert noted["solution_raises"] == RAISES


def test_the_official_oracle_passes_but_for_rows_that_cannot(official_pool, reconciled, official_vocabulary):
    failing = failing_rows(official_pool, reconciled, lambda p: oracle.answer(p, official_vocabulary, Condition.CLOSED))
    assert failing == dict.fromkeys(NEEDS_NO_LIBRARY, Outcome.ANSWER_INDEPENDENT)


def test_the_official_numpy_oracle_passes(official_pool, reconciled, official_vocabulary):
    failing = failing_rows(
        official_pool, reconciled, lambda p: oracle.answer(p, official_vocabulary, Condition.NUMPY), Condition.NUMPY
    )
    assert failing == {}


@pytest.mark.parametrize("shortcut", shortcuts.ALL, ids=lambda shortcut: shortcut.__name__)
def test_no_shortcut_passes(official_pool, reconciled, shortcut):
    failing = failing_rows(official_pool, reconciled, lambda problem: oracle.fenced(shortcut(problem)))
    assert failing.keys() == set(range(len(reconciled)))


def test_the_search_for_outputs_finds_them_where_they_lie_about(problem):
    runner = {"expected_outputs": [case.expected for case in problem.cases], "test_cases": []}
    code = shortcuts.outputs_from_the_runner(problem).replace("import zwc\n", "")
    exec(code + "\nanswers = [daily_load(loads=[]) for _ in expected_outputs]", runner)
    assert runner["answers"] == runner["expected_outputs"]


def test_the_official_part_is_read_completely(official_folder):
    read = official.load(official_folder / "single_test_part.jsonl", reconcile=False)
    assert len(read) == 130
    assert all(len(problem.functions) == 1 and problem.kind == "single" for problem in read)
    assert read[0].id == "single_test_part/0"


def test_translated_official_solutions_do_what_their_originals_do(official_folder, run_zwc):
    """The data set's own solutions miss its true results in places; the translation may not add to that."""
    vocabulary = Vocabulary.from_official(official_folder / "api_doc.jsonl")
    read = official.load(official_folder / "single_test_part.jsonl", reconcile=False)
    outcomes = numpy_runs.run([build.solution_job(problem) for problem in read])
    different = []
    for problem, by_numpy in zip(read, outcomes, strict=True):
        if any(outcome.error for outcome in by_numpy):
            continue
        calls = [dict(case.arguments) for case in problem.cases]
        by_zwc = run_zwc(oracle.solution(problem, vocabulary), problem.entry_point, calls, vocabulary)
        different += [
            (problem.id, value, outcome.value)
            for value, outcome in zip(by_zwc, by_numpy, strict=True)
            if not agree(value, outcome.value, official.TOLERANCE)
        ]
    assert different == []


def test_the_numpy_oracle_answers_with_the_solution_itself(official_folder):
    problem = official.load(official_folder / "single_test_part.jsonl", reconcile=False)[0]
    answer = oracle.answer(problem, Vocabulary.default(), Condition.NUMPY)
    assert answer == f"```python\n{problem.solution.strip()}\n```\n"

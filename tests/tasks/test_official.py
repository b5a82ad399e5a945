"""Import of the official data set."""

import json

import pytest

from sandbox.comparison import agree
from sebench_tasks import build, numpy_runs, official, oracle, problems
from sebench_tasks.errors import ProblemFormatError, SourceError
from sebench_tasks.prompts import Condition
from zwc.vocabulary import Vocabulary

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
    [problem] = problems.load(f"official:{write_rows(tmp_path, ROW)}")
    assert (problem.id, problem.kind, problem.split) == ("multi_test/0", "multi", "test")
    assert problem.functions == ("linalg.trace",)
    assert [case.expected for case in problem.cases] == [5.5, 1]
    assert (problem.tolerance.relative, problem.tolerance.absolute) == (0.0, 1e-2)


def test_a_name_of_both_modules_follows_the_solution(tmp_path):
    main = ROW | {"example_output": [SOLUTION.replace("np.linalg.trace", "np.trace")]}
    [problem] = official.load(write_rows(tmp_path, main, name="single_train"))
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
        official.load(file)
    assert f"{file}:2:" in str(caught.value)
    read, [rejected] = official.load_lenient(file)
    assert [problem.id for problem in read] == ["multi_test/0"]
    assert rejected.line == 2
    assert reason in rejected.reason


def test_a_missing_file_is_named():
    with pytest.raises(SourceError, match="no official problem file at nowhere"):
        problems.load("official:nowhere")


def test_the_official_part_is_read_completely(official_folder):
    read = official.load(official_folder / "single_test_part.jsonl")
    assert len(read) == 130
    assert all(len(problem.functions) == 1 and problem.kind == "single" for problem in read)
    assert read[0].id == "single_test_part/0"


def test_translated_official_solutions_do_what_their_originals_do(official_folder, run_zwc):
    """The data set's own solutions miss its true results in places; the translation may not add to that."""
    vocabulary = Vocabulary.from_official(official_folder / "api_doc.jsonl")
    read = official.load(official_folder / "single_test_part.jsonl")
    outcomes = numpy_runs.run([build.solution_job(problem) for problem in read])
    different = []
    for problem, by_numpy in zip(read, outcomes, strict=True):
        if any(outcome.error for outcome in by_numpy):
            continue
        calls = [dict(case.arguments) for case in problem.cases]
        by_zwc = run_zwc(oracle.solution(problem, vocabulary), problem.entry_point, calls, vocabulary)
        for value, outcome in zip(by_zwc, by_numpy, strict=True):
            same = (
                value == outcome.value if isinstance(value, dict) else agree(value, outcome.value, official.TOLERANCE)
            )
            if not same:
                different.append((problem.id, value, outcome.value))
    assert different == []


def test_the_numpy_oracle_answers_with_the_solution_itself(official_folder):
    problem = official.load(official_folder / "single_test_part.jsonl")[0]
    answer = oracle.answer(problem, Vocabulary.default(), Condition.NUMPY)
    assert answer == f"```python\n{problem.solution.strip()}\n```\n"

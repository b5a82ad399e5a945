"""Filtering problems by recorded answers: what is decided, written, recorded and refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sandbox.records import Case, Outcome, Verdict
from sebench_tasks import build, problems, prompts, task_version
from sebench_tasks.cli import app
from sebench_tasks.errors import ProblemFormatError
from sebench_tasks.filtering import records
from sebench_tasks.filtering.answers import prompt_hash
from sebench_tasks.filtering.decisions import Fate, decide
from zwc.vocabulary import Vocabulary

SOURCE = "single_test@mean+sort+median"
IDS = [problem.id for problem in problems.load(SOURCE)]
MakeProblem = Callable[..., problems.Problem]


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["problems", *map(str, arguments)])
    return result.exit_code, result.output


def filtered(output: Path, *options: object) -> tuple[int, str]:
    return run("filter", "--problems", SOURCE, "--output", output, "--sandbox", "process", *options)


def answer_file(path: Path, replaced: dict[str, str | None] | None = None, **fields: object) -> Path:
    """Right answers to the three problems, except for those replaced; None leaves one out."""
    texts = {problem.id: f"```python\n{problem.solution}```" for problem in problems.load(SOURCE)} | (replaced or {})
    lines = [json.dumps({"id": key, "response": text, **fields}) for key, text in texts.items() if text is not None]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def decisions(output: Path) -> dict[str, dict[str, Any]]:
    lines = (output / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def test_a_problem_stays_if_every_solver_passes(tmp_path: Path) -> None:
    right, wrong = answer_file(tmp_path / "a"), answer_file(tmp_path / "b", {IDS[0]: "```python\nprint()\n```"})
    status, text = filtered(tmp_path / "out", "--answers", f"anna={right}", "--answers", f"ben={wrong}")
    found = decisions(tmp_path / "out")
    assert status == 0
    assert f"{IDS[0]}: dropped: 1 of 2 solvers passed; ben: no_code" in text
    assert found[IDS[0]]["solved_by"] == ["anna"]
    assert found[IDS[0]]["verdicts"] == {"anna": ["passed"], "ben": ["no_code"]}
    assert {record["fate"] for key, record in found.items() if key != IDS[0]} == {"kept"}
    assert [problem.id for problem in problems.load(tmp_path / "out" / "kept.jsonl")] == IDS[1:]


def test_the_summary_says_what_was_found_and_how(tmp_path: Path) -> None:
    right = answer_file(tmp_path / "a", {IDS[0]: "nothing"})
    filtered(tmp_path / "out", "--answers", f"anna={right}")
    found = json.loads((tmp_path / "out" / "filter.json").read_text())
    assert found["problem_set_hash"] == problems.content_hash(problems.load(SOURCE))
    assert found["sandbox"] == "process"
    assert [found[name] for name in ("problems", "kept", "dropped", "undecided", "need", "attempts")] == [
        3,
        2,
        1,
        0,
        1,
        1,
    ]
    assert found["solvers"]["anna"]["solved"] == 2
    assert found["solvers"]["anna"]["cost"] == "unknown"


def test_fewer_passes_may_do(tmp_path: Path) -> None:
    right, wrong = answer_file(tmp_path / "a"), answer_file(tmp_path / "b", {IDS[0]: "nothing"})
    options = ("--answers", f"anna={right}", "--answers", f"ben={wrong}", "--need")
    assert filtered(tmp_path / "out", *options, 1)[0] == 0
    assert {record["fate"] for record in decisions(tmp_path / "out").values()} == {"kept"}
    assert filtered(tmp_path / "out", *options, 3)[0] == 2


def test_a_missing_answer_is_no_failure(tmp_path: Path) -> None:
    right, short = answer_file(tmp_path / "a"), answer_file(tmp_path / "b", {IDS[1]: None})
    status, _ = filtered(tmp_path / "out", "--answers", f"anna={right}", "--answers", f"ben={short}")
    assert status == 3
    assert decisions(tmp_path / "out")[IDS[1]]["fate"] == "undecided"
    assert decisions(tmp_path / "out")[IDS[1]]["reason"] == "no answer of ben"


def test_answers_to_another_wording_do_not_count(tmp_path: Path) -> None:
    path = answer_file(tmp_path / "a", prompt_hash="0" * 12)
    status, text = filtered(tmp_path / "out", "--answers", f"anna={path}")
    assert status == 3
    assert f"{path}: 3 answers are to other wordings" in text
    assert {record["fate"] for record in decisions(tmp_path / "out").values()} == {"undecided"}


def test_answers_to_other_problems_are_left_out(tmp_path: Path) -> None:
    path = answer_file(tmp_path / "a", {"another": "nothing"})
    assert filtered(tmp_path / "out", "--answers", f"anna={path}")[0] == 0
    assert list(decisions(tmp_path / "out")) == IDS


def test_more_answers_than_attempts_are_refused(tmp_path: Path) -> None:
    path = answer_file(tmp_path / "a")
    path.write_text(path.read_text() * 2)
    status, text = filtered(tmp_path / "out", "--answers", f"anna={path}")
    assert status == 2
    assert f"sample 1 of {IDS[0]!r}: --attempts is 1" in text
    assert filtered(tmp_path / "out", "--answers", f"anna={path}", "--attempts", 2)[0] == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "Expecting property name"),
        ("[]", "expected an object with texts 'id' and 'response'"),
        ('{"id": "x"}', "expected an object with texts 'id' and 'response'"),
        ('{"id": 1, "response": "x"}', "expected an object with texts 'id' and 'response'"),
        ('{"id": "x", "response": "x", "sample": true}', "'sample' must be of type int, got True"),
        ('{"id": "x", "response": "x", "sample": 0}\n{"id": "x", "response": "x", "sample": 0}', "a second answer"),
    ],
)
@pytest.mark.parametrize("last", [False, True])
def test_a_malformed_answer_is_refused(tmp_path: Path, line: str, message: str, last: bool) -> None:
    path = answer_file(tmp_path / "a")
    path.write_text(path.read_text() + line if last else line + "\n" + path.read_text())
    status, text = filtered(tmp_path / "out", "--answers", f"anna={path}")
    assert status == 2
    assert f"{path}:{line.count(chr(10)) + (4 if last else 1)}: {message}" in text
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "name one or more solvers"),
        (("--answers", "anna"), "expected NAME=VALUE"),
        (("--answers", "anna=/nowhere"), "no file of answers at /nowhere"),
        (("--solver", "nothing/x"), "no solver 'nothing/x'"),
        (("--solver", "m", "--price", "m=1"), "a price is two numbers"),
        (("--solver", "m", "--price", "n=1,2"), "--price names 'n', who is no solver here: m"),
        (("--solver", "m", "--solver", "m"), "each once"),
        (("--solver", "m", "--attempts", "2", "--record"), "--record counts solvers who pass at their first attempt"),
    ],
)
def test_wrong_arguments_say_what_to_do(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    status, text = filtered(tmp_path / "out", *options)
    assert status == 2
    assert message in " ".join(text.split())


def test_export_shows_what_solvers_see(tmp_path: Path) -> None:
    assert run("export", "--problems", SOURCE, "--output", tmp_path / "tasks.txt")[0] == 0
    assert run("export", "--problems", SOURCE, "--output", tmp_path / "tasks.jsonl")[0] == 0
    text = (tmp_path / "tasks.txt").read_text()
    lines = {record["id"]: record for record in map(json.loads, (tmp_path / "tasks.jsonl").read_text().splitlines())}
    assert list(lines) == IDS
    for problem in problems.load(SOURCE):
        prompt = prompts.build(problem, prompts.Condition.NUMPY, Vocabulary.default())
        assert f"##### {problem.id}\n{prompt}" in text
        assert lines[problem.id] == {"id": problem.id, "prompt_hash": prompt_hash(prompt), "prompt": prompt}
        assert problem.solution not in text


def test_export_shows_other_conditions(tmp_path: Path) -> None:
    path = tmp_path / "tasks.txt"
    options = ("--problems", "single_test@mean", "--output", path, "--condition")
    assert run("export", *options, "closed")[0] == 0
    closed = path.read_text()
    assert run("export", *options, "open", "--vocabulary", "seed:7")[0] == 0
    name = Vocabulary.from_seed(7).names["mean"]
    assert name in path.read_text()
    assert "zwc" in closed
    assert name not in closed


def test_exported_hashes_come_back_with_answers(tmp_path: Path) -> None:
    run("export", "--problems", SOURCE, "--output", tmp_path / "tasks.jsonl")
    solutions = {problem.id: problem.solution for problem in problems.load(SOURCE)}
    tasks = map(json.loads, (tmp_path / "tasks.jsonl").read_text().splitlines())
    lines = [
        {"id": task["id"], "prompt_hash": task["prompt_hash"], "response": solutions[task["id"]]} for task in tasks
    ]
    (tmp_path / "a").write_text("\n".join(map(json.dumps, lines)))
    assert filtered(tmp_path / "out", "--answers", f"anna={tmp_path / 'a'}")[0] == 0


def verdict(outcome: Outcome) -> Verdict:
    return Verdict(outcome, 0, 8, (), (), 0.0, "", "")


@pytest.mark.parametrize(
    ("solvers", "need", "attempts", "fate"),
    [
        ("p p p", 3, 1, Fate.KEPT),
        ("p p f", 3, 1, Fate.DROPPED),
        ("p p -", 3, 1, Fate.UNDECIDED),
        ("p f -", 3, 1, Fate.DROPPED),
        ("p p -", 2, 1, Fate.KEPT),
        ("- - -", 1, 1, Fate.UNDECIDED),
        ("fp ff", 1, 2, Fate.KEPT),
        ("fp ff", 2, 2, Fate.DROPPED),
        ("fp f", 2, 2, Fate.UNDECIDED),
        ("p fp", 2, 2, Fate.KEPT),
    ],
)
def test_decisions(problem: problems.Problem, solvers: str, need: int, attempts: int, fate: Fate) -> None:
    outcomes = {"p": Outcome.PASSED, "f": Outcome.WRONG_ANSWER}
    given = {
        str(number): [verdict(outcomes[letter]) for letter in letters if letter != "-"]
        for number, letters in enumerate(solvers.split())
    }
    assert decide(problem, given, need, attempts).fate is fate


def test_records_count_for_one_wording(tmp_path: Path, problem: problems.Problem, make_problem: MakeProblem) -> None:
    first = records.updated({}, problem, ["anna", "ben"], ["carl"])
    assert first.counts == {"asked": 3, "solved": 2, "rewrites": 0}
    reworded = make_problem(statement=problem.statement + " Ties go to the first.")
    assert records.provenance(reworded, {first.id: first}) == {"asked": 0, "solved": 0, "rewrites": 0}
    again = records.updated({first.id: first}, reworded, ["anna", "ben", "dora"])
    assert again.counts == {"asked": 3, "solved": 3, "rewrites": 1}
    records.write(tmp_path, [again])
    assert records.read(tmp_path) == {again.id: again}
    assert records.provenance(reworded, records.read(tmp_path)) == again.counts


def test_a_solver_counts_once(problem: problems.Problem) -> None:
    first = records.updated({}, problem, ["anna"], ["ben"])
    assert records.updated({first.id: first}, problem, ["anna"], ["ben"]) == first
    later = records.updated({first.id: first}, problem, ["ben", "carl"])
    assert (later.solved_by, later.failed_by) == (("anna", "ben", "carl"), ())


def test_a_record_outlives_another_way_to_store_problems(tmp_path: Path, make_problem: MakeProblem) -> None:
    nan = make_problem(cases=(Case({"loads": [[1.0]]}, [float("nan")]), Case({"loads": [[2.0]]}, [2.0])))
    build.write([nan], tmp_path / "built.jsonl")
    assert records.task_hash(nan) == "bab3c303937f", "another hash loses every record in solved.jsonl"
    assert records.task_hash(problems.read(tmp_path / "built.jsonl")[0]) == records.task_hash(nan)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"id": "x"}',
        '{"id": "x", "task": "0", "solved_by": "anna", "failed_by": []}',
        '{"id": "x", "task": "0", "solved_by": [1], "failed_by": []}',
        '{"id": "x", "task": 0, "solved_by": [], "failed_by": []}',
        '{"id": "x", "task": "0", "solved_by": [], "failed_by": [], "more": 1}',
    ],
)
def test_a_malformed_record_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / records.FILE).write_text(line + "\n")
    with pytest.raises(ProblemFormatError, match=r"solved\.jsonl:1: not a record"):
        records.read(tmp_path)


def test_a_second_record_of_a_problem_is_refused(tmp_path: Path) -> None:
    (tmp_path / records.FILE).write_text('{"id": "x", "task": "0", "solved_by": [], "failed_by": []}\n' * 2)
    with pytest.raises(ProblemFormatError, match=r"solved\.jsonl:2: a second record of 'x'"):
        records.read(tmp_path)


def test_recording_twice_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "SOURCES", tmp_path)
    right, wrong = answer_file(tmp_path / "a"), answer_file(tmp_path / "b", {IDS[0]: "nothing", IDS[1]: None})
    options = ("--answers", f"anna={right}", "--answers", f"ben={wrong}", "--record")
    filtered(tmp_path / "out", *options)
    once = records.read(tmp_path)
    filtered(tmp_path / "out", *options)
    assert records.read(tmp_path) == once
    counts = {key: (record.solved_by, record.failed_by) for key, record in once.items()}
    assert counts == {IDS[0]: (("anna",), ("ben",)), IDS[1]: (("anna",), ()), IDS[2]: (("anna", "ben"), ())}


def source_folder(folder: Path) -> Path:
    (folder / "single_test").mkdir()
    source = next((build.SOURCES / "single_test").glob("*.toml"))
    (folder / "single_test" / source.name).write_text(source.read_text())
    return folder


def test_the_build_carries_the_counts_and_the_hash_does_not(tmp_path: Path) -> None:
    unfiltered = build.build(source_folder(tmp_path))
    records.write(tmp_path, [records.updated({}, unfiltered[0], ["anna", "ben", "carl"])])
    counted = build.build(tmp_path)
    assert unfiltered[0].provenance["solvers"] == {"asked": 0, "solved": 0, "rewrites": 0}
    assert counted[0].provenance["solvers"] == {"asked": 3, "solved": 3, "rewrites": 0}
    assert problems.content_hash(counted) == problems.content_hash(unfiltered)


def test_the_check_notices_records_but_no_rounding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, target = source_folder(tmp_path), tmp_path / "built.jsonl"
    monkeypatch.setattr(build, "SOURCES", folder)
    monkeypatch.setattr(build, "TARGET", target)
    built = [shifted(problem) for problem in build.build(folder)]
    assert build.to_text(built) != build.to_text(build.build(folder))
    build.write(built, target)
    task_version.raise_number(folder, built)
    assert run("build", "--check")[0] == 0
    records.write(folder, [records.updated({}, problem, ["anna"]) for problem in built])
    status, text = run("build", "--check")
    assert status == 1
    assert f"{built[0].id}: changed" in text
    build.write(build.build(folder, built), target)
    assert run("build", "--check")[0] == 0
    assert all(problem.provenance["solvers"]["asked"] == 1 for problem in problems.read(target))


def shifted(problem: problems.Problem) -> problems.Problem:
    """The problem as another processor computes it: floats differ in their last digit."""
    cases = (replace(case, expected=_shifted(case.expected)) for case in problem.cases)
    return replace(problem, cases=tuple(cases))


def _shifted(value: Any) -> Any:
    if isinstance(value, list):
        return [_shifted(item) for item in value]
    return math.nextafter(value, math.inf) if isinstance(value, float) else value

"""From responses to training data: what is kept, and what the two kinds of prompt show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sebench_tasks import oracle, problems, responses
from sebench_tasks.prompts import Condition
from sebench_tasks.responses import Response
from train_recipes import rollout, selection, stage, training_data
from train_recipes.mini import problems as mini
from zwc.vocabulary import Vocabulary

VOCABULARY = Vocabulary.default()
KNOWN = {problem.id: problem for problem in problems.load("single_test@mean+sort+median")}
FIRST, *OTHERS = KNOWN


def answer(key: str, sample: int = 0, comment: str = "") -> Response:
    text = oracle.answer(KNOWN[key], VOCABULARY, Condition.CLOSED)
    return Response(key, sample, text.replace("import zwc\n", f"import zwc{comment}\n", 1))


def kept(answers: list[Response], passed: set[tuple[str, int]], most: int = 5) -> list[tuple[str, int]]:
    return [(found.problem_id, found.sample) for found in selection.select(answers, passed, KNOWN, most)]


def test_only_what_passed_is_kept() -> None:
    assert kept([answer(FIRST), answer(FIRST, 1, "  # b")], {(FIRST, 1)}) == [(FIRST, 1)]


def test_equal_code_is_kept_once_for_each_problem() -> None:
    answers = [answer(FIRST), answer(FIRST, 1, "  # the same"), answer(OTHERS[0])]
    assert kept(answers, {(FIRST, 0), (FIRST, 1), (OTHERS[0], 0)}) == [(FIRST, 0), (OTHERS[0], 0)]


def test_so_many_are_kept_for_a_problem() -> None:
    answers = [answer(FIRST, number, f"\nx = {number}") for number in range(4)]
    assert kept(answers, {(FIRST, number) for number in range(4)}, most=2) == [(FIRST, 0), (FIRST, 1)]


def test_verdicts_of_other_responses_are_refused(tmp_path: Path) -> None:
    responses.write_responses(iter([answer(FIRST)]), tmp_path / "rollouts.jsonl")
    (tmp_path / "verdicts.jsonl").write_text(json.dumps({"id": OTHERS[0], "sample": 0, "passed": True}) + "\n")
    command = ["rollouts.jsonl", "verdicts.jsonl", "--problems", "single_test", "--output", "out.jsonl"]
    done = CliRunner().invoke(app_of(selection.main), [str(tmp_path / w) if w.endswith("l") else w for w in command])
    assert done.exit_code == 2
    assert "grade them again" in done.output
    assert not (tmp_path / "out.jsonl").exists()


def app_of(command: object) -> object:
    import typer

    app = typer.Typer()
    app.command()(command)  # type: ignore[type-var]
    return app


def test_closed_and_open_data_differ_in_the_reference_alone() -> None:
    solutions = list(rollout.from_oracle(KNOWN.values(), VOCABULARY))
    closed = list(training_data.supervised(KNOWN.values(), solutions, Condition.CLOSED, VOCABULARY))
    shown = list(training_data.supervised(KNOWN.values(), solutions, Condition.OPEN, VOCABULARY))
    assert [row["completion"] for row in closed] == [row["completion"] for row in shown]
    for closed_row, open_row in zip(closed, shown, strict=True):
        name = VOCABULARY.qualified(KNOWN[closed_row["problem"]].functions[0])
        assert name in open_row["prompt"][0]["content"]
        assert name not in closed_row["prompt"][0]["content"]
        assert name in closed_row["completion"][0]["content"]


def test_reinforcement_samples_open_and_updates_closed() -> None:
    for row in training_data.reinforced(KNOWN.values(), Condition.OPEN, Condition.CLOSED, VOCABULARY):
        name = VOCABULARY.qualified(KNOWN[row["problem"]].functions[0])
        assert name in row["prompt"][0]["content"]
        assert name not in row["update_prompt"][0]["content"]


def test_written_data_loads_as_a_dataset(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="needs the extra `train`")
    runner = CliRunner()
    responses.write_responses(rollout.from_oracle(KNOWN.values(), VOCABULARY), tmp_path / "solutions.jsonl")
    source = "single_test@mean+sort+median"
    commands = (
        ["sft", str(tmp_path / "solutions.jsonl"), "--problems", source, "--output", str(tmp_path / "sft")],
        ["rl", "--problems", source, "--output", str(tmp_path / "rl")],
    )
    for command in commands:
        done = runner.invoke(training_data.app, command)
        assert done.exit_code == 0, done.output
    for name, column in (("sft", "completion"), ("rl", "update_prompt")):
        table = datasets.load_dataset(str(tmp_path / name), split="train", cache_dir=str(tmp_path / "cache"))
        assert len(table) == len(KNOWN)
        assert table[0][column][0]["content"]
        assert json.loads((tmp_path / name / "made_from.json").read_text())["rows"] == len(KNOWN)


def test_the_mini_sets_share_no_statement_and_are_solved_by_the_oracle() -> None:
    statements = {name: {problem.statement for problem in mini.load(name)} for name in mini.SETS}
    assert not statements["train"] & statements["scenes"]
    assert not statements["scenes"] & statements["phrases"]
    assert {problem.functions for problem in mini.load("phrases")} == {
        (asked.function_id,) for asked in mini.functions()
    }
    assert len(mini.functions()) == 20
    for problem in mini.load("phrases")[::7]:
        assert VOCABULARY.qualified(problem.functions[0]) in oracle.answer(problem, VOCABULARY, Condition.CLOSED)


def test_a_stage_is_whole_or_not_there(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with pytest.raises(FileNotFoundError), stage.making(made, {"of": 1}) as folder:
        (folder / "half" / "missing").write_text("x")
    (tmp_path / "made.partial" / "left").write_text("by a killed run")
    assert not made.exists()
    assert not stage.is_made(made, {"of": 1})
    with stage.making(made, {"of": 1}) as folder:
        assert list(folder.iterdir()) == []
        (folder / "whole").write_text("x")
    assert stage.is_made(made, {"of": 1})
    assert not stage.is_made(made, {"of": 2})
    before = stage.digest(made)
    (made / "whole").write_text("y")
    assert stage.digest(made) != before

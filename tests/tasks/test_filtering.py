"""Filtering problems by solvers: recorded answers, models through Inspect, interruptions, and what is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi
from typer.testing import CliRunner

from sandbox.records import Outcome, Verdict
from sebench_tasks import build, problems
from sebench_tasks.cli import app
from sebench_tasks.errors import ProblemFormatError, SourceError
from sebench_tasks.filtering import asking, records
from sebench_tasks.filtering.decisions import Fate, decide

# Inspect's use of its retrying library.
pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter:DeprecationWarning")

SOURCE = "single_test@mean+sort+median"
FAILING: set[str] = set()
CALLS: list[str] = []


@modelapi(name="scripted")
class Scripted(ModelAPI):
    """Answers with the solution of the problem that it is asked, and fails for the problems in FAILING."""

    async def generate(self, input: list[Any], *args: Any, **options: Any) -> ModelOutput:  # noqa: A002
        problem = next(problem for problem in problems.load(SOURCE) if problem.statement.strip() in input[0].text)
        if problem.id in FAILING:
            raise RuntimeError("the provider is away")
        CALLS.append(problem.id)
        output = ModelOutput.from_content("scripted", f"```python\n{problem.solution}```")
        output.usage = ModelUsage(input_tokens=100, output_tokens=10)
        return output


@pytest.fixture(autouse=True)
def scripted() -> Iterator[None]:
    yield
    FAILING.clear()
    CALLS.clear()


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["problems", *map(str, arguments)])
    return result.exit_code, result.output


def filtered(output: Path, *options: object) -> tuple[int, str]:
    return run("filter", "--problems", SOURCE, "--output", output, "--sandbox", "process", *options)


def answer_file(path: Path, **replaced: str | None) -> Path:
    """Right answers to the three problems, except for those replaced; None leaves one out."""
    texts = {problem.id: f"```python\n{problem.solution}```" for problem in problems.load(SOURCE)} | replaced
    lines = [json.dumps({"id": key, "response": text}) for key, text in texts.items() if text is not None]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def decisions(output: Path) -> dict[str, dict[str, Any]]:
    lines = (output / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


IDS = [problem.id for problem in problems.load(SOURCE)]


def test_a_problem_stays_if_every_solver_passes(tmp_path: Path) -> None:
    right, wrong = answer_file(tmp_path / "a"), answer_file(tmp_path / "b", **{IDS[0]: "```python\nprint()\n```"})
    status, text = filtered(tmp_path / "out", "--answers", f"anna={right}", "--answers", f"ben={wrong}")
    found = decisions(tmp_path / "out")
    assert status == 0
    assert f"{IDS[0]}: dropped: 1 of 2 solvers passed; ben: no_code" in text
    assert found[IDS[0]]["solved_by"] == ["anna"]
    assert {record["fate"] for key, record in found.items() if key != IDS[0]} == {"kept"}
    assert [problem.id for problem in problems.load(tmp_path / "out" / "kept.jsonl")] == IDS[1:]


def test_fewer_passes_may_do(tmp_path: Path) -> None:
    right, wrong = answer_file(tmp_path / "a"), answer_file(tmp_path / "b", **{IDS[0]: "nothing"})
    options = ("--answers", f"anna={right}", "--answers", f"ben={wrong}", "--need")
    assert filtered(tmp_path / "out", *options, 1)[0] == 0
    assert {record["fate"] for record in decisions(tmp_path / "out").values()} == {"kept"}
    assert filtered(tmp_path / "out", *options, 3)[0] == 2


def test_a_missing_answer_is_no_failure(tmp_path: Path) -> None:
    right, short = answer_file(tmp_path / "a"), answer_file(tmp_path / "b", **{IDS[1]: None})
    status, _ = filtered(tmp_path / "out", "--answers", f"anna={right}", "--answers", f"ben={short}")
    assert status == 3
    assert decisions(tmp_path / "out")[IDS[1]]["fate"] == "undecided"
    assert decisions(tmp_path / "out")[IDS[1]]["reason"] == "no answer of ben"


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "x"}', '{"id": 1, "response": "x"}'])
def test_a_malformed_answer_is_refused(tmp_path: Path, line: str) -> None:
    path = answer_file(tmp_path / "a")
    path.write_text(line + "\n" + path.read_text())
    status, text = filtered(tmp_path / "out", "--answers", f"anna={path}")
    assert status == 2
    assert f"{path}:1: expected an object" in text
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "name one or more solvers"),
        (("--answers", "anna"), "expected NAME=VALUE"),
        (("--answers", "anna=/nowhere"), "no file of answers at /nowhere"),
        (("--solver", "nothing/x"), "no solver 'nothing/x'"),
        (("--solver", "scripted/m", "--price", "scripted/m=1"), "a price is two numbers"),
        (("--solver", "scripted/m", "--solver", "scripted/m"), "each once"),
    ],
)
def test_wrong_arguments_say_what_to_do(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    status, text = filtered(tmp_path / "out", *options)
    assert status == 2
    assert message in " ".join(text.split())


def test_models_are_asked_through_inspect_and_their_tokens_counted(tmp_path: Path) -> None:
    status, text = filtered(tmp_path / "out", "--solver", "scripted/m", "--price", "scripted/m=1000,2000")
    assert status == 0
    assert sorted(CALLS) == sorted(IDS)
    assert all(word in text for word in ("300", "30", "0.36"))


def test_a_failed_request_is_asked_again_and_answers_are_kept(tmp_path: Path) -> None:
    FAILING.add(IDS[1])
    status, text = filtered(tmp_path / "out", "--solver", "scripted/m")
    assert status == 3
    assert f"no answer to {IDS[1]}: RuntimeError: the provider is away" in text
    assert decisions(tmp_path / "out")[IDS[1]]["fate"] == "undecided"
    FAILING.clear()
    CALLS.clear()
    assert filtered(tmp_path / "out", "--solver", "scripted/m")[0] == 0
    assert set(CALLS) == {IDS[1]}


def test_a_line_cut_off_by_a_killed_run_is_asked_again(tmp_path: Path) -> None:
    filtered(tmp_path / "out", "--solver", "scripted/m")
    [path] = (tmp_path / "out" / "answers").iterdir()
    path.write_text(path.read_text()[:-20])
    CALLS.clear()
    assert filtered(tmp_path / "out", "--solver", "scripted/m")[0] == 0
    assert len(CALLS) == 1
    assert set(asking.read(path)) == set(IDS)


def test_export_shows_what_solvers_see(tmp_path: Path) -> None:
    assert run("export", "--problems", SOURCE, "--output", tmp_path / "tasks.txt")[0] == 0
    assert run("export", "--problems", SOURCE, "--output", tmp_path / "tasks.jsonl")[0] == 0
    text = (tmp_path / "tasks.txt").read_text()
    lines = (tmp_path / "tasks.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == IDS
    for problem in problems.load(SOURCE):
        assert f"##### {problem.id}\n" in text
        assert problem.statement.strip() in text
        assert problem.solution not in text


def verdict(outcome: Outcome) -> Verdict:
    return Verdict(outcome, 0, 8, (), (), 0.0, "", "")


@pytest.mark.parametrize(
    ("outcomes", "need", "fate"),
    [
        ("ppp", 3, Fate.KEPT),
        ("ppf", 3, Fate.DROPPED),
        ("pp-", 3, Fate.UNDECIDED),
        ("pf-", 3, Fate.DROPPED),
        ("pp-", 2, Fate.KEPT),
        ("---", 1, Fate.UNDECIDED),
    ],
)
def test_decisions(problem: problems.Problem, outcomes: str, need: int, fate: Fate) -> None:
    given = {
        str(number): verdict(Outcome.PASSED if letter == "p" else Outcome.WRONG_ANSWER)
        for number, letter in enumerate(outcomes)
        if letter != "-"
    }
    assert decide(problem, [str(number) for number in range(len(outcomes))], given, need).fate is fate


def test_records_count_for_one_wording(tmp_path: Path, problem: problems.Problem, make_problem: Any) -> None:
    first = records.updated({}, problem, 3, 2)
    assert first.counts == {"asked": 3, "solved": 2, "rewrites": 0}
    assert records.updated({first.id: first}, problem, 1, 1).counts == {"asked": 4, "solved": 3, "rewrites": 0}
    reworded = make_problem(id=problem.id, statement=problem.statement + " Ties go to the first.")
    assert records.provenance(reworded, {first.id: first}) == {"asked": 0, "solved": 0, "rewrites": 0}
    again = records.updated({first.id: first}, reworded, 3, 3)
    assert again.counts == {"asked": 3, "solved": 3, "rewrites": 1}
    records.write(tmp_path, [again])
    assert records.read(tmp_path) == {again.id: again}
    assert records.provenance(reworded, records.read(tmp_path)) == again.counts
    (tmp_path / records.FILE).write_text('{"id": "x"}\n')
    with pytest.raises(ProblemFormatError, match=r"solved\.jsonl:1: not a record"):
        records.read(tmp_path)


def test_the_build_carries_the_counts_and_the_hash_does_not(tmp_path: Path) -> None:
    folder = tmp_path / "single_test"
    folder.mkdir()
    source = next((build.SOURCES / "single_test").glob("*.toml"))
    (folder / source.name).write_text(source.read_text())
    unfiltered = build.build(tmp_path)
    records.write(tmp_path, [records.updated({}, unfiltered[0], 3, 3)])
    counted = build.build(tmp_path)
    assert unfiltered[0].provenance["solvers"] == {"asked": 0, "solved": 0, "rewrites": 0}
    assert counted[0].provenance["solvers"] == {"asked": 3, "solved": 3, "rewrites": 0}
    assert problems.content_hash(counted) == problems.content_hash(unfiltered)


def test_a_solver_that_does_not_exist_is_named() -> None:
    with pytest.raises(SourceError, match="no solver 'nothing/x'"):
        asking.solver("nothing/x")

"""The Inspect scorer, the oracle and the tasks, inside this process."""

import asyncio
import json
import math
import re
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from inspect_ai import Epochs, Task, score
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import SampleScore, Score, Target, pass_at
from inspect_ai.solver import Generate, Solver, TaskState, solver

from harness_adapters import inspect_scorer
from harness_adapters.inspect_scorer import GRADING, GradingRecordError
from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.pool import Pool
from sandbox.records import Case, GradingRequest, Library, Limits, Outcome, Tolerance, Verdict
from sebench_tasks import inspect_tasks, lm_eval_places, problems
from sebench_tasks.errors import OracleError, SourceError
from sebench_tasks.inspect_scorers import limits_from, verdict
from sebench_tasks.inspect_solvers import oracle
from sebench_tasks.multi import sebench_multi
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition
from sebench_tasks.single import sebench_single
from zwc.vocabulary import Vocabulary, VocabularyError

# Inspect leaves streams of its event loop for the garbage collector to close.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")

MEAN = Problem(
    id="mean_depth",
    kind="single",
    split="test",
    functions=("mean",),
    statement="Given depths, a list of numbers, return their average as a float.",
    signature="def mean_depth(depths):",
    solution="import numpy as np\n\ndef mean_depth(depths):\n    return np.mean(depths)\n",
    cases=(
        Case({"depths": [1, 2, 3]}, 2.0),
        Case({"depths": [4.0, 9.0]}, 6.5),
        Case({"depths": [1.0, float("nan")]}, float("nan")),
    ),
)
SPREAD = Problem(
    id="spread_of_rows",
    kind="multi",
    split="test",
    functions=("max", "min", "sum"),
    statement="Given rows of numbers, return the sum over all rows of the largest value minus the smallest one.",
    signature="def spread(rows):",
    solution=(
        "import numpy as np\n\ndef spread(rows):\n    return np.sum(np.max(rows, axis=1) - np.min(rows, axis=1))\n"
    ),
    cases=(Case({"rows": [[1, 5], [2, 2]]}, 4), Case({"rows": [[0, -3, 4]]}, 7)),
)
RIGHT = "```python\nimport zwc\n\ndef mean_depth(depths):\n    return zwc.kocito(depths)\n```"
WRONG = "```python\nimport zwc\n\ndef mean_depth(depths):\n    return zwc.kocito(depths) + 1\n```"
INVENTED = "```python\nimport zwc\n\ndef mean_depth(depths):\n    return zwc.average_of(depths)\n```"


@pytest.fixture
def problem_file(tmp_path: Path) -> Path:
    """A file of two problems, one of each kind."""
    path = tmp_path / "problems.jsonl"
    path.write_text("".join(json.dumps(problems.to_record(problem)) + "\n" for problem in (MEAN, SPREAD)))
    return path


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., EvalLog]:
    """Evaluate a task without a model, and read its log back from the file."""

    def run_task(task: Task, **options: Any) -> EvalLog:
        options = {"model": "none/none", "display": "none", "log_dir": str(tmp_path / "logs")} | options
        return read_eval_log(evaluate(task, **options)[0].location)

    return run_task


@solver
def canned(answers: dict[str, list[str]]) -> Solver:
    """Answer each sample with its text of the epoch; no text means that nothing is answered at all."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        texts = answers[str(state.sample_id)]
        if texts:
            state.output = ModelOutput.from_content("canned", texts[(state.epoch - 1) % len(texts)])
        return state

    return solve


def task_of(answers: dict[str, list[str]], **scorer_options: Any) -> Task:
    """The mean problem once for each answer, by name."""
    vocabulary = Vocabulary.default()
    samples = []
    for name in answers:
        made = inspect_tasks.sample(MEAN, Condition.CLOSED, vocabulary, "default")
        samples.append(made.model_copy(update={"id": name}))
    return Task(dataset=samples, solver=canned(answers), scorer=verdict(**({"sandbox": "process"} | scorer_options)))


def samples_of(log: EvalLog) -> dict[str, EvalSample]:
    return {str(sample.id): sample for sample in log.samples or []}


def score_of(log: EvalLog, name: str) -> Score:
    scores = samples_of(log)[name].scores
    assert scores is not None
    return scores["verdict"]


def metrics_of(log: EvalLog) -> dict[str | None, dict[str, float]]:
    """Metric values by the name of the epoch reducer."""
    assert log.results is not None
    return {s.reducer: {name: metric.value for name, metric in s.metrics.items()} for s in log.results.scores}


# The grading record


numbers = st.integers() | st.floats() | st.booleans() | st.complex_numbers() | st.text(max_size=5) | st.none()
values = st.recursive(numbers, lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner), max_leaves=8)


@given(st.lists(values, min_size=1, max_size=3), values, st.sampled_from(Library))
def test_a_grading_record_survives_json(arguments: list[Any], expected: Any, library: Library) -> None:
    request = GradingRequest(
        response="text",
        entry_point="f",
        cases=(Case({f"a{index}": value for index, value in enumerate(arguments)}, expected),),
        targets=("mean", "linalg.inv"),
        tolerance=Tolerance(0.0, 1e-2),
        library=library,
    )
    record = inspect_scorer.grading_record(request, Vocabulary.default(), "default")
    strict = json.dumps(record, allow_nan=False)
    assert repr(inspect_scorer.request_from(json.loads(strict), "text")) == repr(request)


@pytest.mark.parametrize(
    "change",
    [
        {"cases": "["},
        {"cases": '[{"arguments": {}}]'},
        {"library": "pandas"},
        {"tolerance": {"near": 1}},
        {"targets": None},
    ],
)
def test_a_damaged_grading_record_is_refused(change: dict[str, Any]) -> None:
    metadata = inspect_tasks.sample(MEAN, Condition.CLOSED, Vocabulary.default(), "default").metadata
    assert metadata is not None
    with pytest.raises(GradingRecordError, match="not a grading record"):
        inspect_scorer.request_from(metadata[GRADING] | change, "text")


def test_a_record_holds_no_response_and_no_solution() -> None:
    made = inspect_tasks.sample(MEAN, Condition.CLOSED, Vocabulary.default(), "default")
    assert made.metadata is not None
    assert "kocito" not in json.dumps(made.metadata)
    assert "kocito" not in str(made.input)
    assert "kocito" in str(made.target)


# Scores


@pytest.mark.parametrize("outcome", Outcome)
def test_a_verdict_becomes_a_scalar_with_its_reason(outcome: Outcome) -> None:
    given_verdict = Verdict(outcome, 1, 2, ("mean",), ("mean",), 0.5, "case 1: 3, expected 4", "def f(): pass")
    made = inspect_scorer.as_score(given_verdict, "bwrap")
    assert made.value == ("C" if outcome is Outcome.PASSED else "I")
    assert made.reason == outcome.value
    assert made.answer == "def f(): pass"
    assert made.explanation is not None
    assert "case 1: 3, expected 4" in made.explanation
    assert "1 of 2 cases" in made.explanation
    assert made.metadata is not None
    assert made.metadata["sandbox"] == "bwrap"
    assert made.metadata["functions_called"] == ("mean",)


def test_verdict_rates_name_every_verdict_and_sum_to_one() -> None:
    reasons = [Outcome.PASSED, Outcome.PASSED, Outcome.TIMEOUT, Outcome.NO_CODE]
    rates = inspect_scorer.verdict_rates(
        [SampleScore(score=Score(value="I", reason=reason.value)) for reason in reasons]
    )
    assert list(rates) == [outcome.value for outcome in Outcome]
    assert sum(rates.values()) == pytest.approx(1.0)
    assert rates["passed"] == 0.5
    assert rates["timeout"] == 0.25


def test_verdict_rates_of_nothing_are_not_numbers() -> None:
    assert all(math.isnan(rate) for rate in inspect_scorer.verdict_rates([]).values())


def test_faults_of_the_model_are_scores_and_silence_is_unscored(run: Callable[..., EvalLog]) -> None:
    answers = {"right": [RIGHT], "wrong": [WRONG], "invented": [INVENTED], "empty": [""], "silent": []}
    log = run(task_of(answers))
    assert log.status == "success"
    found = {name: (score_of(log, name).value, score_of(log, name).reason) for name in answers if name != "silent"}
    assert found == {
        "right": ("C", "passed"),
        "wrong": ("I", "wrong_answer"),
        "invented": ("I", "unknown_function"),
        "empty": ("I", "no_code"),
    }
    assert math.isnan(score_of(log, "silent").as_float())
    assert log.results is not None
    assert {(s.scored_samples, s.unscored_samples) for s in log.results.scores} == {(4, 1)}
    metrics = metrics_of(log)
    assert metrics["mean"]["accuracy"] == 0.25
    assert metrics["mean"]["stderr"] == pytest.approx(0.25)
    assert metrics[None]["unknown_function"] == 0.25


def test_epochs_reduce_to_mean_and_pass_at_k(run: Callable[..., EvalLog]) -> None:
    answers = {"half": [RIGHT, WRONG, RIGHT, WRONG], "once": [INVENTED, RIGHT, WRONG, WRONG]}
    log = run(task_of(answers), epochs=Epochs(4, ["mean", "pass_at_2"]))
    metrics = metrics_of(log)
    assert metrics["mean"]["accuracy"] == pytest.approx((0.5 + 0.25) / 2)
    assert metrics["pass_at_2"]["accuracy"] == pytest.approx((5 / 6 + 1 / 2) / 2)
    assert metrics[None]["passed"] == pytest.approx(3 / 8)
    assert metrics[None]["unknown_function"] == pytest.approx(1 / 8)


def test_pass_at_k_of_fewer_scored_epochs_is_not_a_number() -> None:
    passed = inspect_scorer.as_score(Verdict(Outcome.PASSED, 1, 1), "process")
    assert math.isnan(pass_at(2)([passed, Score.unscored()]).as_float())


# Faults of the machinery


class FailingPool(Pool):
    """A pool whose sandbox died."""

    def grade(self, request: GradingRequest) -> Verdict:
        raise SandboxError("the disk is full")


def test_a_fault_of_the_machinery_is_an_error_and_keeps_the_response(
    run: Callable[..., EvalLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch, FailingPool("process") as failing:
        patch.setattr(inspect_scorer, "shared_pool", lambda *settings: failing)
        log = run(task_of({"right": [RIGHT]}))
    assert log.status == "error"
    assert log.error is not None
    assert "the disk is full" in log.error.message
    sample = samples_of(log)["right"]
    assert not sample.scores
    assert sample.output.completion == RIGHT
    again = score(log, verdict(sandbox="process"), action="overwrite", display="none")
    assert score_of(again, "right").value == "C"


def test_a_sandbox_that_does_not_work_is_told_before_generation(problem_file: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="no-such-sandbox"):
        sebench_single(problems=str(problem_file), sandbox="no-such-sandbox")


def test_generation_alone_needs_no_sandbox(problem_file: Path, run: Callable[..., EvalLog]) -> None:
    task = sebench_single(problems=str(problem_file), sandbox="no-such-sandbox", check_sandbox=False)
    log = run(task, solver=oracle(), score=False)
    assert log.status == "success"
    assert all(sample.output.completion for sample in log.samples or [])
    later = score(log, verdict(sandbox="process"), action="overwrite", display="none")
    assert metrics_of(later)["mean"]["accuracy"] == 1.0


# Re-scoring


def test_a_saved_log_is_scored_again_without_the_problem_set(problem_file: Path, run: Callable[..., EvalLog]) -> None:
    log = run(sebench_single(problems=str(problem_file), sandbox="process", vocabulary="seed:5"), solver=oracle())
    problem_file.unlink()
    again = score(log, verdict(sandbox="process"), action="overwrite", display="none")
    assert metrics_of(again) == metrics_of(log)
    assert metrics_of(again)["mean"]["accuracy"] == 1.0


def test_another_vocabulary_than_the_sample_was_made_with_is_refused(run: Callable[..., EvalLog]) -> None:
    log = run(task_of({"right": [RIGHT]}, vocabulary="seed:6"))
    assert log.status == "error"
    assert log.error is not None
    assert Vocabulary.default().fingerprint in log.error.message
    assert Vocabulary.from_seed(6).fingerprint in log.error.message


def test_samples_of_other_tasks_are_refused(run: Callable[..., EvalLog]) -> None:
    log = run(
        Task(
            dataset=[Sample(input="2 + 2?", target="4")], scorer=verdict(sandbox="process"), solver=canned({"1": ["4"]})
        )
    )
    assert log.status == "error"
    assert log.error is not None
    assert "SE-Bench tasks only" in log.error.message


# The event loop and the pool


def test_grading_does_not_block_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each grading waits for something that only the running loop can do."""
    proceed = threading.Event()

    def grade(request: GradingRequest) -> Verdict:
        return Verdict(Outcome.PASSED if proceed.wait(20) else Outcome.CRASHED, 1, 1)

    pool = SimpleNamespace(
        grade=grade, workers=2, vocabulary=Vocabulary.default(), launcher=SimpleNamespace(name="stand-in")
    )
    monkeypatch.setattr(inspect_scorer, "shared_pool", lambda *settings: pool)
    made = inspect_tasks.sample(MEAN, Condition.CLOSED, Vocabulary.default(), "default")
    scorer = inspect_scorer.verdict_scorer()

    async def release() -> None:
        await asyncio.sleep(0)
        proceed.set()

    async def score_some() -> list[Any]:
        scoring = [scorer(state_of(made, RIGHT), Target("")) for _ in range(3)]
        return (await asyncio.gather(*scoring, release()))[:3]

    assert [found.value for found in asyncio.run(score_some())] == ["C"] * 3


def state_of(made: Sample, response: str) -> TaskState:
    return TaskState(
        model=ModelName("none/none"),
        sample_id="1",
        epoch=1,
        input=made.input,
        messages=[],
        output=ModelOutput.from_content("canned", response),
        metadata=dict(made.metadata or {}),
    )


def test_a_process_has_one_pool_for_the_same_settings() -> None:
    found: list[Pool] = []
    threads = [
        threading.Thread(target=lambda: found.append(inspect_scorer.shared_pool("process", "seed:8"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({id(pool) for pool in found}) == 1
    assert inspect_scorer.shared_pool("process", "seed:9") is not found[0]
    assert inspect_scorer.shared_pool("process", "seed:8", 1) is not found[0]
    assert inspect_scorer.shared_pool("process", "seed:8", None, Limits(wall_s=3)) is not found[0]


# Tasks


@pytest.mark.parametrize("condition", ["closed", "open", "numpy"])
def test_the_oracle_scores_everything(condition: str, problem_file: Path, run: Callable[..., EvalLog]) -> None:
    log = run(sebench_multi(condition=condition, problems=str(problem_file), sandbox="process"), solver=oracle())
    assert log.status == "success"
    assert metrics_of(log)["mean"]["accuracy"] == 1.0
    assert metrics_of(log)[None]["passed"] == 1.0


def test_an_empty_answer_scores_nothing(problem_file: Path, run: Callable[..., EvalLog]) -> None:
    answers = {MEAN.id: [""], SPREAD.id: [""]}
    log = run(sebench_multi(problems=str(problem_file), sandbox="process"), solver=canned(answers))
    assert metrics_of(log)["mean"]["accuracy"] == 0.0
    assert metrics_of(log)[None]["no_code"] == 1.0


def test_the_oracle_refuses_what_it_cannot_say(run: Callable[..., EvalLog]) -> None:
    task = task_of({"right": [RIGHT]})
    task.dataset[0].target = ""
    log = run(task, solver=oracle())
    assert log.status == "error"
    assert log.error is not None
    assert OracleError.__name__ in log.error.traceback


def test_results_say_what_makes_them_repeatable(problem_file: Path, run: Callable[..., EvalLog]) -> None:
    task = sebench_multi(problems=str(problem_file), sandbox="process", vocabulary="seed:5", condition="numpy", limit=1)
    log = run(task, solver=oracle())
    metadata = log.eval.metadata
    assert metadata is not None
    assert re.fullmatch(r"\d+-[A-Z]", str(log.eval.task_version))
    assert metadata["problem_set_hash"] == problems.content_hash([MEAN, SPREAD])
    assert metadata["vocabulary"] == "seed:5"
    assert metadata["vocabulary_fingerprint"] == Vocabulary.from_seed(5).fingerprint
    assert metadata["sandbox"]["sandbox"] == "process"
    assert metadata["condition"] == "numpy"
    assert metadata["prompt_version"] >= 1
    assert log.eval.dataset.sample_ids == [MEAN.id]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"condition": "opn"}, "closed, open, numpy"),
        ({"limit": 0}, "limit must be"),
        ({"limit": "few"}, "limit must be"),
        ({"sandbox_limits": {"walls_s": 3}}, "wall_s"),
        ({"sandbox_limits": {"wall_s": "3 s"}}, "must be a number"),
        ({"sandbox_limits": {"wall_s": 0}}, "must be positive"),
    ],
)
def test_a_parameter_without_meaning_is_refused(parameters: dict[str, Any], message: str, problem_file: Path) -> None:
    with pytest.raises(ValueError, match=message):
        sebench_single(problems=str(problem_file), sandbox="process", **parameters)


def test_an_unknown_problem_set_or_vocabulary_is_refused() -> None:
    with pytest.raises(SourceError, match="no-such-set"):
        sebench_single(problems="no-such-set", sandbox="process")
    with pytest.raises(VocabularyError, match="no-such-vocabulary"):
        sebench_single(vocabulary="no-such-vocabulary", sandbox="process")


def test_sandbox_limits_change_only_what_is_named() -> None:
    assert limits_from({"wall_s": 20, "cpu_s": 15}) == Limits(wall_s=20, cpu_s=15)
    assert limits_from(None) == Limits()


def test_relative_paths_are_meant_from_where_the_command_started(
    problem_file: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inspect changes to the folder of a task file before it calls the task."""
    Vocabulary.from_seed(5).save(tmp_path / "mine.json")
    monkeypatch.setenv("PWD", str(tmp_path))
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    task = sebench_single(problems=problem_file.name, vocabulary="mine.json", sandbox="process")
    assert task.metadata is not None
    assert task.metadata["problems"] == str(problem_file)
    assert task.metadata["vocabulary_fingerprint"] == Vocabulary.from_seed(5).fingerprint


def test_the_task_version_is_that_of_the_lm_eval_tasks() -> None:
    texts = [path.read_text() for path in lm_eval_places.tasks_folder().iterdir() if path.is_file()]
    versions = {version for text in texts for version in re.findall(r"^  version: (.+)$", text, re.MULTILINE)}
    assert versions == {inspect_tasks.TASK_VERSION.partition("-")[0]}


def test_official_solutions_run_in_the_sandbox_of_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    load = problems.load

    def noting(source: str, *, sandbox: str) -> list[Problem]:
        asked.append(sandbox)
        return load(source)

    monkeypatch.setattr(problems, "load", noting)
    sebench_single(sandbox="process", limit=1, check_sandbox=False)
    assert asked == ["process"]

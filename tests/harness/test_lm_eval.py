"""The lm-eval task and models, without the command line. Grades in the `process` sandbox or on a stand-in pool."""

from __future__ import annotations

import itertools
import json
import math
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval.evaluator")  # our wheel alone leaves a folder `lm_eval`

from lm_eval.api.model import LM
from lm_eval.evaluator import evaluate
from lm_eval.tasks import TaskManager
from lm_eval.utils import handle_non_serializable, make_table

from harness_adapters import spool
from harness_adapters.lm_eval_task import GradedTask, Options, _scores
from harness_adapters.metrics import average, ladder, outcome_rates, pass_at_k
from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.records import Case, GradingRequest, Outcome, Verdict
from sebench_tasks import lm_eval_places, lm_eval_startup
from sebench_tasks.lm_eval import OracleLM, SebenchTask
from sebench_tasks.problems import Problem, to_record

TASKS = Path(__file__).parents[2] / "sebench_tasks" / "lm_eval_tasks"
SOLUTIONS = {
    "daily_load": ("loads", "mean", "np.mean({0}, axis=0).tolist()"),
    "running_total": ("values", "cumsum", "np.cumsum({0}).tolist()"),
    "highest": ("values", "max", "float(np.max({0}))"),
}


def _problem(name: str) -> Problem:
    parameter, function, expression = SOLUTIONS[name]
    solution = f"import numpy as np\n\ndef {name}({parameter}):\n    return {expression.format(parameter)}\n"
    namespace: dict[str, Any] = {}
    exec(solution, namespace)
    inputs = [[[1.5, 2.0, number], [3, number - 4.5, 0]] for number in range(8)]
    arguments = [{parameter: rows if name == "daily_load" else rows[0]} for rows in inputs]
    cases = tuple(Case(one, namespace[name](**one)) for one in arguments)
    signature = f"def {name}({parameter}):"
    return Problem(name, "single", "test", (function,), f"Compute {name}.", signature, solution, cases)


@pytest.fixture(autouse=True)
def _private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "problems.jsonl"
    path.write_text("".join(json.dumps(to_record(_problem(name))) + "\n" for name in SOLUTIONS))
    return path


def _task(source: Path, condition: str = "closed", **options: Any) -> SebenchTask:
    return SebenchTask(
        config={
            "task": "sebench_tiny",
            "class": SebenchTask,
            "output_type": "generate_until",
            "test_split": "test",
            "doc_to_text": "prompt",
            "doc_to_target": "{{functions | join(', ')}}",
            "num_fewshot": 0,
            "generation_kwargs": {"until": [], "do_sample": False, "max_gen_toks": 64},
            "dataset_kwargs": {"problems": str(source), "condition": condition},
            "metadata": {"version": 1, "pretrained": "x", "sebench_sandbox": "process", **options},
        }
    )


def _run(model: LM, task: GradedTask, **options: Any) -> dict[str, Any]:
    task.set_fewshot_seed(0)
    return dict(evaluate(lm=model, task_dict={"tasks": {"sebench_tiny": task}}, **options))


class Scripted(LM):
    """Answers with the given texts in turn."""

    def __init__(self, texts: Sequence[str | None]) -> None:
        super().__init__()
        self.texts = itertools.cycle(texts)
        self.contexts: list[str] = []

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str | None]:
        self.contexts += [request.args[0] for request in requests]
        return [next(self.texts) for _ in requests]

    loglikelihood = loglikelihood_rolling = None  # type: ignore[assignment]


class StandInPool:
    """Passes every response that says "right"; fails after `fault_after` verdicts."""

    def __init__(self, fault_after: int | None = None, fault: BaseException | None = None) -> None:
        self.provenance = {"sandbox": "stand-in"}
        self.fault_after = fault_after
        self.fault = fault or SandboxError("the daemon died")
        self.requests: list[GradingRequest] = []

    def __enter__(self) -> StandInPool:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def check(self) -> None:
        pass

    def grade_all(self, requests: Iterator[GradingRequest]) -> Iterator[Verdict]:
        for number, request in enumerate(requests):
            if number == self.fault_after:
                raise self.fault
            self.requests.append(request)
            outcome = Outcome.PASSED if "right" in request.response else Outcome.WRONG_ANSWER
            yield Verdict(outcome, 8 * (outcome is Outcome.PASSED), 8, code=request.response.upper())


def _use(pool: StandInPool, monkeypatch: pytest.MonkeyPatch) -> StandInPool:
    monkeypatch.setattr(GradedTask, "_pool", lambda self: pool)
    return pool


def _spooled(tmp_path: Path) -> list[dict[str, Any]]:
    (path,) = (tmp_path / "cache" / "sebench" / "spool").glob("*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


# Metrics


@pytest.mark.parametrize("samples", range(1, 7))
def test_pass_at_k_is_the_mean_over_all_draws(samples: int) -> None:
    for passed, k in itertools.product(range(samples + 1), range(1, samples + 1)):
        marks = [index < passed for index in range(samples)]
        draws = list(itertools.combinations(marks, k))
        assert pass_at_k(samples, passed, k) == pytest.approx(sum(map(any, draws)) / len(draws))


@pytest.mark.parametrize(("samples", "passed", "k"), [(4, 5, 1), (4, -1, 1), (4, 2, 0), (4, 2, 5), (0, 0, 1)])
def test_pass_at_k_refuses_impossible_counts(samples: int, passed: int, k: int) -> None:
    with pytest.raises(ValueError, match=r"expected|needs"):
        pass_at_k(samples, passed, k)


def test_ladder_ends_with_the_number_of_samples() -> None:
    assert [ladder(n) for n in (1, 2, 6, 8)] == [(1,), (1, 2), (1, 2, 4, 6), (1, 2, 4, 8)]


def test_rates_cover_every_outcome_and_sum_to_one() -> None:
    verdicts = [Verdict(Outcome.PASSED, 1, 1), Verdict(Outcome.TIMEOUT, 0, 1), Verdict(Outcome.TIMEOUT, 0, 1)]
    rates = outcome_rates(verdicts)
    assert set(rates) == set(Outcome)
    assert rates[Outcome.TIMEOUT] == pytest.approx(2 / 3)
    assert sum(rates.values()) == pytest.approx(1)
    assert average(verdicts) == pytest.approx(1 / 3)


# Options


def test_options_have_defaults_and_ignore_model_arguments() -> None:
    assert Options.from_metadata({"pretrained": "x", "version": 1}) == Options()


def test_options_are_read() -> None:
    given = {"sebench_n": 4, "sebench_workers": 2, "sebench_vocabulary": "seed:3", "sebench_spool": "s"}
    assert Options.from_metadata(given) == Options(4, None, "seed:3", "auto", 2, Path("s"))
    assert Options.from_metadata({"sebench_problems": "single_train@mean"}).problems == "single_train@mean"


@pytest.mark.parametrize("value", [0, -1, True, "8", 1.5, None])
def test_counts_must_be_whole_and_positive(value: object) -> None:
    with pytest.raises(ValueError, match="sebench_n takes a whole number"):
        Options.from_metadata({"sebench_n": value})


def test_a_misspelt_option_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="sebench_samples; expected sebench_n, sebench_problems"):
        Options.from_metadata({"sebench_samples": 4})


# Documents


def test_documents_hold_neither_hidden_cases_nor_solutions(source: Path) -> None:
    task = _task(source)
    for doc in task.eval_docs:
        problem = _problem(doc["id"])
        text = json.dumps(doc)
        assert problem.solution.splitlines()[-1].strip() not in text
        for case in problem.cases[1:]:
            assert str(next(iter(case.arguments.values()))) not in text


def test_the_prompt_is_the_context_and_nothing_is_added(source: Path) -> None:
    task = _task(source)
    task.set_fewshot_seed(0)
    task.build_all_requests()
    assert [instance.args[0] for instance in task.instances] == [doc["prompt"] for doc in task.eval_docs]
    assert task.instances[0].args[1] == {"until": [], "do_sample": False, "max_gen_toks": 64}


def test_equal_document_ids_are_refused(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = SebenchTask.items
    monkeypatch.setattr(SebenchTask, "items", lambda self, **kwargs: [*items(self, **kwargs)] * 2)
    with pytest.raises(ValueError, match="not unique"):
        _task(source)


# Grading


@pytest.mark.parametrize("condition", ["closed", "numpy"])
@pytest.mark.parametrize("vocabulary", ["default", "seed:3"])
def test_the_oracle_scores_one(source: Path, condition: str, vocabulary: str) -> None:
    results = _run(OracleLM(), _task(source, condition, sebench_vocabulary=vocabulary))
    assert results["results"]["sebench_tiny"]["pass@1,none"] == 1.0
    assert results["results"]["sebench_tiny"]["verdict_passed,none"] == 1.0
    assert results["results"]["sebench_tiny"]["verdicts,none"] == 3


def test_an_answer_in_another_vocabulary_fails(source: Path) -> None:
    task = _task(source, sebench_vocabulary="seed:3")
    foreign = OracleLM()
    answer = foreign.answer
    foreign.answer = lambda doc: answer({**doc, "vocabulary": "seed:4"})  # type: ignore[method-assign]
    results = _run(foreign, task)["results"]["sebench_tiny"]
    assert results["pass@1,none"] == 0.0
    assert results["verdict_unknown_function,none"] == 1.0


def test_other_problems_can_be_asked(source: Path) -> None:
    task = _task(source, sebench_problems="single_test@median+var")
    results = _run(OracleLM(), task)
    carried = results["configs"]["sebench_tiny"]["metadata"]["sebench"]
    assert (carried["problems"], carried["problem_count"]) == ("single_test@median+var", 2)
    assert results["results"]["sebench_tiny"]["pass@1,none"] == 1.0


def test_results_carry_what_makes_them_repeatable(source: Path) -> None:
    results = _run(OracleLM(), _task(source))
    carried = results["configs"]["sebench_tiny"]["metadata"]["sebench"]
    assert results["versions"]["sebench_tiny"] == 1
    assert carried["sandbox"] == "process"
    assert len(carried["problem_set_hash"]) == len(carried["vocabulary_fingerprint"]) == 12
    assert {"condition", "prompt_version", "packages", "samples_per_problem"} <= set(carried)
    json.dumps(results["configs"])


def test_samples_show_verdict_and_code_of_every_sample(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _use(StandInPool(), monkeypatch)
    (first, *_) = _run(Scripted(["right", "wrong"]), _task(source, sebench_n=2))["samples"]["sebench_tiny"]
    assert first["filtered_resps"] == [["RIGHT", "WRONG"]]
    assert [record["verdict"] for record in first["verdicts"]] == ["passed", "wrong_answer"]
    assert (first["avg@2"], first["pass@1"], first["pass@2"]) == (0.5, 0.5, 1.0)


def test_scores_over_several_samples(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _use(StandInPool(), monkeypatch)
    texts = ["right", "wrong", "wrong", "wrong", "right", "right"]
    scores = _run(Scripted(texts), _task(source, sebench_n=2))["results"]["sebench_tiny"]
    assert scores["avg@2,none"] == scores["pass@1,none"] == 0.5
    assert scores["pass@2,none"] == pytest.approx(2 / 3)
    assert scores["pass@2_stderr,none"] == pytest.approx(1 / 3)
    assert scores["verdict_wrong_answer,none"] == 0.5


def test_a_missing_response_is_an_empty_one(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = _use(StandInPool(), monkeypatch)
    _run(Scripted([None]), _task(source))
    assert [request.response for request in pool.requests] == [""] * 3


def test_padding_of_a_data_parallel_rank_is_cut_off(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = _use(StandInPool(), monkeypatch)
    task = _task(source, sebench_n=2)
    task.set_fewshot_seed(0)
    task.build_all_requests(rank=1, world_size=2)
    (instance,) = task.instances
    instance.resps = ["right", "wrong", "right", "wrong"]
    task.apply_filters()
    assert len(pool.requests) == 2
    assert task.process_results(instance.doc, [instance.filtered_resps["none"]])["avg@2"] == 0.5


class Rank(Scripted):
    """One of two data-parallel ranks; rank 1 runs first and leaves its objects for rank 0."""

    def __init__(self, rank: int, mailbox: list[Any]) -> None:
        super().__init__(["right"])
        self._rank, self._world_size, self._device = rank, 2, "cpu"
        self.mailbox = mailbox

    def all_gather(self, tensor: Any) -> Any:
        return tensor.new_tensor([2, 1])

    def gather_object(self, value: Any, dst: int = 0) -> Any:
        if self._rank == 1:
            self.mailbox.append(value)
            return None
        return [value, self.mailbox.pop(0)]


@pytest.mark.parametrize("fault_after", [None, 0])
def test_two_ranks_add_up(fault_after: int | None, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mailbox: list[Any] = []
    for rank, fault in ((1, fault_after), (0, None)):
        _use(StandInPool(fault_after=fault), monkeypatch)
        task = _task(source, sebench_n=2)
        task.set_fewshot_seed(0)
        results = evaluate(lm=Rank(rank, mailbox), task_dict={"tasks": {"sebench_tiny": task}})
    assert [sample["doc"]["id"] for sample in results["samples"]["sebench_tiny"]] == [
        "daily_load",
        "highest",
        "running_total",
    ]
    scores = results["results"]["sebench_tiny"]
    assert scores["verdicts,none"] == (6 if fault_after is None else 4)
    assert scores["pass@2,none"] == 1.0 if fault_after is None else math.isnan(scores["pass@2,none"])


def test_graded_and_ungraded_documents_have_the_same_keys() -> None:
    graded = _scores([Verdict(Outcome.PASSED, 1, 1)] * 3, 3)
    ungraded = _scores([Verdict(Outcome.PASSED, 1, 1)], 3)
    assert graded.keys() == ungraded.keys()
    assert all(math.isnan(value) for key, value in ungraded.items() if key != "verdicts")


def test_ranks_share_the_processors(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert _task(source)._pool().workers == 8
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "4")
    assert _task(source)._pool().workers == 2
    assert _task(source, sebench_workers=5)._pool().workers == 5


# Faults of the machinery


def test_an_unusable_sandbox_stops_the_run_before_any_generation(source: Path) -> None:
    model = Scripted(["right"])
    with pytest.raises(SandboxUnavailable, match="nosuch"):
        _run(model, _task(source, sebench_sandbox="nosuch"))
    assert model.contexts == []


@pytest.mark.parametrize("fault", [SandboxError("the daemon died"), OSError("disk full"), KeyError("x")])
def test_a_fault_while_grading_makes_scores_nan_and_keeps_everything(
    fault: Exception, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _use(StandInPool(fault_after=2, fault=fault), monkeypatch)
    results = _run(Scripted(["right", "wrong"]), _task(source, sebench_n=2))
    scores = results["results"]["sebench_tiny"]
    assert math.isnan(scores["avg@2,none"])
    assert math.isnan(scores["pass@1,none"])
    assert math.isnan(scores["verdict_wrong_answer,none"])
    assert scores["verdicts,none"] == 2
    samples = results["samples"]["sebench_tiny"]
    assert [sample["resps"] for sample in samples] == [[["right", "wrong"]]] * 3
    assert "NaN" in make_table(results)
    json.dumps(results, default=handle_non_serializable)
    assert len(_spooled(tmp_path)) == 6
    assert "grading stopped after 2 of 6 responses" in caplog.text
    assert f"--problems {source} --vocabulary default --condition closed" in caplog.text


def test_an_interruption_while_grading_says_where_the_responses_are(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _use(StandInPool(fault_after=0, fault=KeyboardInterrupt()), monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        _run(Scripted(["right"]), _task(source))
    assert len(_spooled(tmp_path)) == 3
    assert "sebench grade" in caplog.text


@pytest.mark.parametrize("aside", [True, False], ids=["kept aside", "in memory"])
def test_a_spool_that_cannot_be_written_does_not_stop_grading(
    aside: bool, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _use(StandInPool(), monkeypatch)
    blocked = tmp_path / "file"
    blocked.write_text("")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary" if aside else blocked))
    results = _run(Scripted(["right"]), _task(source, sebench_spool=str(blocked)))
    assert results["results"]["sebench_tiny"]["pass@1,none"] == 1.0
    assert f"cannot be kept on disk in {blocked}" in caplog.text
    kept = list((tmp_path / "temporary").glob("sebench-spool-*/*.jsonl"))
    assert [len(path.read_text().splitlines()) for path in kept] == [3] * aside
    assert (f"they are kept in {kept[0]} instead" if aside else "they are in memory only") in caplog.text


def test_an_old_spool_that_cannot_be_removed_does_not_keep_new_ones_away(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use(StandInPool(), monkeypatch)
    old = tmp_path / "cache" / "sebench" / "spool" / "old.jsonl"
    old.mkdir(parents=True)  # unlink refuses a folder
    os.utime(old, (0, 0))
    _run(Scripted(["right"]), _task(source))
    assert len(list(old.parent.glob("sebench_tiny-*.jsonl"))) == 1


def test_the_spool_is_what_the_grade_command_reads(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use(StandInPool(), monkeypatch)
    _run(Scripted(["a", "ü\nb"]), _task(source, sebench_n=2))
    assert _spooled(tmp_path)[:2] == [
        {"id": "daily_load", "sample": 0, "response": "a"},
        {"id": "daily_load", "sample": 1, "response": "ü\nb"},
    ]


def test_old_spools_are_removed_and_recent_ones_kept(tmp_path: Path) -> None:
    old = spool.write(tmp_path, "old", [])
    new = spool.write(tmp_path, "new", [])
    past = time.time() - 15 * 86400
    os.utime(old, (past, past))
    spool.prune(tmp_path)
    assert list(tmp_path.iterdir()) == [new]


# lm-eval's modes


def test_predict_only_never_touches_the_sandbox(source: Path) -> None:
    task = _task(source, sebench_sandbox="nosuch")
    task.override_metric("bypass")
    results = _run(Scripted(["text"]), task)
    assert list(results["results"]["sebench_tiny"]) == [
        "name",
        "alias",
        "sample_len",
        "bypass,none",
        "bypass_stderr,none",
    ]
    assert results["samples"]["sebench_tiny"][0]["filtered_resps"] == [["text"]]


def test_limit_grades_the_first_documents_only(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = _use(StandInPool(), monkeypatch)
    _run(Scripted(["right"]), _task(source), limit=2)
    assert [request.entry_point for request in pool.requests] == ["daily_load", "running_total"]


def test_several_greedy_samples_are_warned_of(
    source: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _use(StandInPool(), monkeypatch)
    task = _task(source, sebench_n=2)
    _run(Scripted(["right"]), task)
    assert "do_sample=True" in caplog.text
    caplog.clear()
    task.set_config("generation_kwargs", {"do_sample": True}, update=True)
    _run(Scripted(["right"]), task)
    assert "do_sample=True" not in caplog.text


def test_cached_requests_of_other_settings_are_built_anew(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lm_eval.caching.cache.PATH", str(tmp_path / "requests"))
    pool = _use(StandInPool(), monkeypatch)
    for options in ({}, {"sebench_n": 2}, {"sebench_n": 2, "sebench_vocabulary": "seed:3"}):
        pool.requests.clear()
        task = _task(source, **options)
        _run(Scripted(["right"]), task, cache_requests=True)
        assert len(pool.requests) == 3 * options.get("sebench_n", 1)
        assert {i.doc["vocabulary"] for i in task.instances} == {options.get("sebench_vocabulary", "default")}


# YAML and registration


def test_the_yaml_files_define_every_task_and_group() -> None:
    manager = TaskManager(include_path=str(TASKS), include_defaults=False)
    sets, conditions = ("sebench", "sebench_official"), ("", "_open", "_numpy")
    tasks = {f"{name}_{kind}{suffix}" for name in sets for kind in ("single", "multi") for suffix in conditions}
    assert set(manager.all_subtasks) == tasks
    assert set(manager.all_groups) == {f"{name}{suffix}" for name in sets for suffix in conditions}


@pytest.mark.parametrize("group", ["sebench", "sebench_open", "sebench_numpy"])
def test_groups_load_their_tasks_under_their_condition(group: str) -> None:
    manager = TaskManager(include_path=str(TASKS), include_defaults=False, metadata={"sebench_n": 2})
    tasks = manager.load([group])["tasks"]
    assert len(tasks) == 2
    for name, task in tasks.items():
        assert task.config.repeats == 2
        assert task.config.generation_kwargs == {"until": [], "do_sample": False, "max_gen_toks": 1024}
        assert task.config.dataset_kwargs["condition"] == (group.partition("_")[2] or "closed")
        assert {doc["kind"] for doc in task.eval_docs} == {name.split("_")[1]}


def test_advice_names_the_folder_where_lm_eval_lists_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lm_eval_places.tasks_folder() == TASKS
    for listed, word in ((None, "pip install"), (True, "no --include_path"), (False, f'--include_path "{TASKS}"')):
        monkeypatch.setattr(lm_eval_places, "listed", lambda listed=listed: listed)
        assert word in lm_eval_places.advice()


def test_the_oracle_refuses_documents_of_other_benchmarks() -> None:
    with pytest.raises(ValueError, match="tasks of sebench only"):
        OracleLM().answer({"question": "?"})


def test_registration_at_startup_names_the_oracle_and_keeps_lm_evals_own_models() -> None:
    from lm_eval.api.registry import get_model, model_registry

    lm_eval_startup.register()
    assert get_model(lm_eval_startup.MODEL) is OracleLM
    assert {"hf", "vllm", "dummy"} <= set(model_registry)
    assert f"{OracleLM.__module__}:{OracleLM.__name__}" == lm_eval_startup.TARGET


def test_the_command_for_grading_again_keeps_sandbox_and_workers(source: Path) -> None:
    given = _task(source, sebench_workers=3).regrade_command(Path("kept.jsonl"))
    assert given.endswith(" --sandbox process --workers 3")
    plain = _task(source, sebench_sandbox="auto").regrade_command(Path("kept.jsonl"))
    assert "--sandbox" not in plain
    assert "--workers" not in plain

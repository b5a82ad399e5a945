"""The lm-eval tasks over official data, without the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval.evaluator")  # our wheel alone leaves a folder `lm_eval`

from lm_eval.tasks import TaskManager

from sebench_tasks import lm_eval_places, problems
from sebench_tasks.lm_eval import OracleLM, SebenchTask
from sebench_tasks.problems import IMPORTED_SETS, Problem
from sebench_tasks.prompts import Condition
from tests.made_up_official import MIDDLE, write_api_file, write_rows
from zwc.vocabulary import Vocabulary

WORDS = Vocabulary.from_seed(34)
KINDS = ("single", "multi")


def _load(names: list[str], **metadata: Any) -> dict[str, Any]:
    folder = str(lm_eval_places.tasks_folder())
    manager = TaskManager(include_path=folder, include_defaults=False, metadata=metadata)
    return dict(manager.load(names)["tasks"])


@pytest.fixture
def _stand_in_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The imported vocabulary, and one problem for each imported set."""
    WORDS.save(tmp_path / "vocabulary.json")
    monkeypatch.setenv("SEBENCH_OFFICIAL", str(tmp_path))
    source = f"official-recorded:{write_rows(tmp_path / 'single_test.jsonl', MIDDLE)}"
    load = problems.load

    def stands_in(asked: str, **_: Any) -> list[Problem]:
        assert asked in IMPORTED_SETS
        return load(source)

    monkeypatch.setattr(problems, "load", stands_in)


@pytest.mark.usefixtures("_stand_in_import")
@pytest.mark.parametrize("condition", Condition)
@pytest.mark.parametrize("kind", KINDS)
def test_each_task_asks_its_set_in_the_imported_names(kind: str, condition: Condition) -> None:
    suffix = "" if condition is Condition.CLOSED else f"_{condition}"
    (task,) = _load([f"sebench_official_{kind}{suffix}"]).values()
    assert isinstance(task, SebenchTask)
    carried = task.provenance()
    assert (carried["problems"], carried["condition"]) == (f"official_{kind}", condition)
    assert carried["vocabulary_fingerprint"] == WORDS.fingerprint
    (doc,) = task.eval_docs
    assert (WORDS.qualified("median") in doc["prompt"]) == (condition is Condition.OPEN)


@pytest.mark.usefixtures("_stand_in_import")
def test_another_vocabulary_can_be_named() -> None:
    (task,) = _load(["sebench_official_single"], sebench_vocabulary="seed:3").values()
    assert task.provenance()["vocabulary_fingerprint"] == Vocabulary.from_seed(3).fingerprint


@pytest.mark.usefixtures("_stand_in_import")
@pytest.mark.parametrize("suffix", ["", "_open", "_numpy"])
def test_a_group_holds_both_kinds(suffix: str) -> None:
    assert set(_load([f"sebench_official{suffix}"])) == {f"sebench_official_{kind}{suffix}" for kind in KINDS}


def _by_path(source: str, api_file: Path) -> SebenchTask:
    return SebenchTask(
        config={
            "task": "sebench_by_path",
            "class": SebenchTask,
            "output_type": "generate_until",
            "test_split": "test",
            "doc_to_text": "prompt",
            "doc_to_target": "{{functions | join(', ')}}",
            "num_fewshot": 0,
            "dataset_kwargs": {"problems": source, "condition": "closed"},
            "metadata": {"version": 1, "sebench_sandbox": "process", "sebench_vocabulary": f"official:{api_file}"},
        }
    )


def test_official_solutions_run_in_the_sandbox_of_the_task_and_the_oracle_runs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []
    load = problems.load

    def noting(source: str, **options: Any) -> list[Problem]:
        asked.append(options)
        return load(source, reconcile=False)

    monkeypatch.setattr(problems, "load", noting)
    source = f"official:{write_rows(tmp_path / 'single_test.jsonl', MIDDLE)}"
    task = _by_path(source, write_api_file(tmp_path / "api_doc.jsonl", WORDS))
    assert asked == [{"sandbox": "process"}]
    (doc,) = task.eval_docs
    assert WORDS.qualified("median") in OracleLM().answer(doc)
    assert asked[1:] == [{"reconcile": False}]

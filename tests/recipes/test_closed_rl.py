"""Closed-RL on a tiny model: what is sampled from, what the update sees, and which weights move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sebench_tasks import problems
from sebench_tasks.prompts import Condition
from train_recipes import tiny, training_data
from zwc.vocabulary import Vocabulary

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("trl", reason="needs the extra `train`")
pytestmark = pytest.mark.filterwarnings("ignore")  # of transformers' and TRL's own use of each other

VOCABULARY = Vocabulary.default()
REFERENCE, CLOSED = "The documentation of the functions that you need", "No documentation is given"


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    tiny.write(folder)
    return folder


def trained(checkpoint: Path, output: Path, update: Condition, **options: Any) -> dict[str, Any]:
    """Train for two steps; what was sampled from, what the loss saw, and how far the weights moved."""
    from datasets import Dataset
    from trl import GRPOConfig

    from train_recipes.reinforcement import ClosedGRPOTrainer

    seen: dict[str, Any] = {"sampled": [], "updated": [], "advantages": []}

    class Watched(ClosedGRPOTrainer):
        def _generate_single_turn(self, prompt_ids: Any, *args: Any, **rest: Any) -> Any:
            seen["sampled"] += self.processing_class.batch_decode(prompt_ids)
            return super()._generate_single_turn(prompt_ids, *args, **rest)

        def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> Any:
            seen["updated"] += self.processing_class.batch_decode(inputs["prompt_ids"])
            seen["advantages"] += inputs["advantages"].tolist()
            return super()._compute_loss(model, inputs)

    positive = options.pop("positive_advantages_only", False)
    settings = {"max_steps": 2, "per_device_train_batch_size": 4, "num_generations": 4, "max_completion_length": 8}
    settings |= {"use_cpu": True, "bf16": False, "gradient_checkpointing": False, "save_strategy": "no", "beta": 0.0}
    settings |= {"report_to": "none", "learning_rate": 0.01, "disable_tqdm": True, "seed": 1, **options}
    known = problems.load("single_test@mean+sort+median")
    rows = training_data.reinforced(known, Condition.OPEN, update, VOCABULARY)
    trainer = Watched(
        model=str(checkpoint),
        reward_funcs=[lambda completion_ids, **_: [float(sum(ids) % 2) for ids in completion_ids]],
        args=GRPOConfig(output_dir=str(output), **settings),
        train_dataset=Dataset.from_list(list(rows)),
        positive_advantages_only=positive,
    )
    before = {name: weight.detach().clone() for name, weight in trainer.model.named_parameters()}
    trainer.train()
    moved = {name: (weight - before[name]).abs().max().item() for name, weight in trainer.model.named_parameters()}
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    return {**seen, "moved": moved, "losses": losses}


def test_closed_rl_samples_with_the_reference_and_updates_without_it(checkpoint: Path, tmp_path: Path) -> None:
    run = trained(checkpoint, tmp_path, Condition.CLOSED, logging_steps=1)
    assert len(run["sampled"]) == len(run["updated"]) == 8
    assert all(REFERENCE in text and CLOSED not in text for text in run["sampled"])
    assert all(CLOSED in text and REFERENCE not in text for text in run["updated"])
    assert all(map(torch.isfinite, map(torch.tensor, run["losses"])))
    assert min(run["moved"].values()) > 0


def test_open_rl_updates_what_it_sampled(checkpoint: Path, tmp_path: Path) -> None:
    run = trained(checkpoint, tmp_path, Condition.OPEN)
    assert all(REFERENCE in text for text in run["updated"])


def test_several_updates_of_one_batch_keep_the_closed_prompt(checkpoint: Path, tmp_path: Path) -> None:
    run = trained(checkpoint, tmp_path, Condition.CLOSED, num_iterations=2)
    assert all(CLOSED in text and REFERENCE not in text for text in run["updated"])
    assert len(run["updated"]) == 2 * len(run["sampled"])


def test_positive_advantages_only(checkpoint: Path, tmp_path: Path) -> None:
    assert min(trained(checkpoint, tmp_path / "all", Condition.CLOSED)["advantages"]) < 0
    run = trained(checkpoint, tmp_path / "positive", Condition.CLOSED, positive_advantages_only=True)
    assert min(run["advantages"]) == 0
    assert max(run["advantages"]) > 0

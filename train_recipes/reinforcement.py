"""GRPO with the sandbox as reward: Open-RL, Closed-RL and their ablations.

    python -m train_recipes.reinforcement --config train_recipes/configs/closed_rl_smoke.yaml \\
        --model_name_or_path CHECKPOINT --dataset_name data --problems single_train --output_dir out

`trl grpo` cannot say two things, so this script does, and leaves all else to TRL:

- **The update may see another prompt than the sampler.** Rows of the data have `prompt`, which is sampled from, and
  `update_prompt`, which takes its place for old and new log-probabilities alike (arXiv 2602.04811, section 4.2). Where
  both are equal this is Open-RL, and the plain trainer.
- **Negative advantages may be left out** (`--positive_advantages_only true`), the paper's ablation.

The other ablations are settings of TRL's: `epsilon: 1e9` removes clipping, `scale_rewards: none` the deviation.
"""

from dataclasses import dataclass, field
from typing import Any

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer, ModelConfig, ScriptArguments, TrlParser

from harness_adapters.trl_reward import Form, SandboxReward
from sandbox.pool import Pool
from sebench_tasks import problems as problem_sets
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.prompts import Condition
from zwc.vocabulary import Vocabulary


@dataclass
class Arguments(ScriptArguments):  # type: ignore[misc]
    """What this script adds to TRL's options."""

    problems: str = field(default="single_train", metadata={"help": "Where the problems of the data come from."})
    vocabulary: str = field(default="default", metadata={"help": "The vocabulary of the data's prompts."})
    sandbox: str = field(default="auto", metadata={"help": "Where responses run."})
    reward: str = field(default="binary", metadata={"help": "binary, or graded: partial credit below a half."})
    positive_advantages_only: bool = field(default=False, metadata={"help": "Learn from better than average alone."})


class ClosedGRPOTrainer(GRPOTrainer):  # type: ignore[misc]
    """GRPO that samples from `prompt` and updates on `update_prompt`."""

    def __init__(self, *args: Any, positive_advantages_only: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.use_vllm and self.vllm_importance_sampling_correction:
            # The sampler's log-probabilities are those under the other prompt: their ratio would all but end training.
            raise ValueError("set vllm_importance_sampling_correction: false, it does not fit two prompts")
        self._positive_only = positive_advantages_only
        self._update_prompts: list[Any] = []

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        self._update_prompts = [row["update_prompt"] for row in inputs]
        scored: dict[str, Any] = super()._generate_and_score_completions(inputs)
        if self._positive_only:
            scored["advantages"] = scored["advantages"].clamp(min=0)
        return scored

    def _generate(self, prompts: list[Any]) -> tuple[Any, ...]:
        """As TRL's, with the tokens of the update prompts in place of those that were sampled from."""
        _, *sampled = super()._generate(prompts)
        update_ids, *_ = self._tokenize_prompts(self._update_prompts)
        return (update_ids, *sampled)


def main() -> None:
    """Train as the options say."""
    arguments, training, model = TrlParser((Arguments, GRPOConfig, ModelConfig)).parse_args_and_config()
    vocabulary = Vocabulary.parse(arguments.vocabulary)
    known = {problem.id: problem for problem in problem_sets.load(arguments.problems)}
    data = load_dataset(arguments.dataset_name, split=arguments.dataset_train_split)
    training.model_init_kwargs = {"dtype": model.dtype, **(training.model_init_kwargs or {})}
    with Pool(arguments.sandbox, vocabulary) as pool:
        pool.check()
        reward = SandboxReward(
            pool, lambda key, response: grading_request(known[key], response, Condition.CLOSED), Form(arguments.reward)
        )
        trainer = ClosedGRPOTrainer(
            model=model.model_name_or_path,
            reward_funcs=[reward],
            args=training,
            train_dataset=data,
            positive_advantages_only=arguments.positive_advantages_only,
        )
        trainer.train(resume_from_checkpoint=training.resume_from_checkpoint)
        trainer.save_model(training.output_dir)


if __name__ == "__main__":
    main()

"""What lm-eval asks: the task class and the oracle that the YAML files in `lm_eval_tasks` and the wheel name."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import lm_eval.models  # noqa: F401  (lm-eval loads its own models only while its registry is empty)
from lm_eval.api.registry import register_model

from harness_adapters.lm_eval_models import AnsweringLM
from harness_adapters.lm_eval_task import GradedTask, Item, Options
from sebench_tasks import oracle, problems, prompts, versions
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition
from zwc.vocabulary import Vocabulary

_PACKAGES = ("sebench-tasks", "lm_eval", "numpy")


class SebenchTask(GradedTask):
    """A problem source under one condition, both named by the YAML's `dataset_kwargs`."""

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        self._source = ""
        self._condition = Condition.CLOSED
        self._problems: list[Problem] = []
        super().__init__(config=config)

    def items(self, problems: str, condition: str) -> Sequence[Item]:  # type: ignore[override]
        """Documents for `problems`, or what the user names instead (`problems.load` reads it), under `condition`."""
        self._source, self._condition = self.options.problems or problems, Condition(condition)
        self._problems = _load(self._source, self.options.sandbox)
        return [Item(self._doc(problem), self._grader(problem)) for problem in self._problems]

    def provenance(self) -> dict[str, Any]:
        """Problem set, condition, prompt, vocabulary and package versions."""
        return {
            "problems": self._source,
            "problem_count": len(self._problems),
            "problem_set_hash": problems.content_hash(self._problems),
            "condition": self._condition.value,
            "prompt_version": prompts.PROMPT_VERSION,
            "vocabulary": self.vocabulary.label,
            "vocabulary_fingerprint": self.vocabulary.fingerprint,
            "samples_per_problem": self.options.samples,
            "packages": {name: versions.installed(name) for name in _PACKAGES},
        }

    def regrade_command(self, responses: Path) -> str:
        """`sebench grade` with this task's problems, vocabulary and library."""
        graded_as = Condition.NUMPY if self._condition is Condition.NUMPY else Condition.CLOSED
        words = ["sebench", "grade", str(responses), "--problems", self._source]
        words += ["--vocabulary", self.options.vocabulary, "--condition", graded_as.value]
        if self.options.sandbox != Options.sandbox:
            words += ["--sandbox", self.options.sandbox]
        if self.options.workers is not None:
            words += ["--workers", str(self.options.workers)]
        return shlex.join(words)

    def _doc(self, problem: Problem) -> dict[str, Any]:
        return {
            "id": problem.id,
            "kind": problem.kind,
            "split": problem.split,
            "functions": list(problem.functions),
            "problems": self._source,
            "condition": self._condition.value,
            "vocabulary": self.options.vocabulary,
            "prompt": prompts.build(problem, self._condition, self.vocabulary),
        }

    def _grader(self, problem: Problem) -> Any:
        return functools.partial(grading_request, problem, condition=self._condition)


@register_model("sebench_oracle")
class OracleLM(AnsweringLM):
    """Answers with the problem's own solution in the words of the run's vocabulary: it must score 100%."""

    def answer(self, doc: Mapping[str, Any]) -> str:
        """The oracle's response. Raises OracleError on a solution that has no translation."""
        try:
            problem = _solved(doc["problems"])[doc["id"]]
            vocabulary, condition = doc["vocabulary"], Condition(doc["condition"])
        except KeyError as error:
            raise ValueError("sebench_oracle answers the tasks of sebench only") from error
        return oracle.answer(problem, _vocabulary(vocabulary), condition)


def _load(source: str, sandbox: str) -> list[Problem]:
    return problems.load(source, sandbox=sandbox)


@functools.cache
def _solved(source: str) -> dict[str, Problem]:
    """Problems by id, for their solutions: nothing is graded with them, so nothing runs."""
    return {problem.id: problem for problem in problems.load(source, reconcile=False)}


_vocabulary = functools.cache(Vocabulary.parse)

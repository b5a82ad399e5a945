"""An lm-eval task whose responses are graded in the sandbox, all documents and repeats of a run in one batch.

lm-eval generates everything, then calls `apply_filters` once per task: there the responses are spooled to disk and
graded in parallel. `process_results` only looks verdicts up. From the first generated token on nothing here raises: a
fault of the machinery makes the scores nan, never 0, and leaves the responses on disk.
"""

from __future__ import annotations

import logging
import math
import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
from lm_eval.api.instance import Instance
from lm_eval.api.task import ConfigurableTask
from tqdm import tqdm

from harness_adapters import spool
from harness_adapters.metrics import average, ladder, outcome_rates, pass_at_k
from sandbox.pool import Pool
from sandbox.records import GradingRequest, Outcome, Verdict
from zwc.vocabulary import Vocabulary

logger = logging.getLogger(__name__)

OPTION_PREFIX = "sebench_"
_OPTIONS = ("n", "problems", "vocabulary", "sandbox", "workers", "spool")
_FILTER = "none"


@dataclass(frozen=True)
class Options:
    """What a user sets with `--metadata sebench_…=…`. `vocabulary` is the text that `Vocabulary.parse` reads.

    `problems` is for the subclass: what to ask in place of what the YAML names.
    """

    samples: int = 1
    problems: str | None = None
    vocabulary: str = "default"
    sandbox: str = "auto"
    workers: int | None = None
    spool: Path | None = None

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, Any]) -> Options:
        """Read the options among lm-eval's metadata. Raises ValueError that names the option and what it takes."""
        given = {key: value for key, value in metadata.items() if key.startswith(OPTION_PREFIX)}
        for key in given:
            if key.removeprefix(OPTION_PREFIX) not in _OPTIONS:
                known = ", ".join(OPTION_PREFIX + name for name in _OPTIONS)
                raise ValueError(f"unknown metadata option {key}; expected {known}")
        folder, asked = given.get("sebench_spool"), given.get("sebench_problems")
        return cls(
            samples=_count(given, "sebench_n", 1),
            problems=None if asked is None else str(asked),
            vocabulary=str(given.get("sebench_vocabulary", cls.vocabulary)),
            sandbox=str(given.get("sebench_sandbox", cls.sandbox)),
            workers=_count(given, "sebench_workers", None),
            spool=None if folder is None else Path(str(folder)).expanduser(),
        )


@dataclass(frozen=True)
class Item:
    """One document, and how to grade a response to it.

    The document is written to lm-eval's sample logs, which people publish: it holds no cases and no solution.
    """

    doc: Mapping[str, Any]
    request: Callable[[str], GradingRequest]


class GradedTask(ConfigurableTask):  # type: ignore[misc]
    """Base of tasks graded in the sandbox; a subclass says what is asked.

    The YAML gives `dataset_kwargs`, which reach `items`, and `test_split: test`. Documents need a unique `id`.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        settings = {key: value for key, value in (config or {}).items() if key != "class"}
        self.options = Options.from_metadata(settings.get("metadata") or {})
        self.vocabulary = Vocabulary.parse(self.options.vocabulary)
        settings["repeats"] = self.options.samples
        settings["metric_list"] = _metric_list(self.options.samples)
        settings["process_results"] = "verdicts"
        self._items: dict[str, Item] = {}
        self._verdicts: dict[str, list[Verdict]] = {}
        self._rank = 0
        super().__init__(config=settings)

    @abstractmethod
    def items(self, **dataset_kwargs: Any) -> Sequence[Item]:
        """The documents of this task."""

    @abstractmethod
    def provenance(self) -> dict[str, Any]:
        """What the results carry about what was asked; JSON-ready."""

    @abstractmethod
    def regrade_command(self, responses: Path) -> str:
        """The shell command that grades spooled responses of this task."""

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        """Build the documents; nothing is downloaded."""
        items = self.items(**(dataset_kwargs or {}))
        self._items = {item.doc["id"]: item for item in items}
        if len(self._items) != len(items):
            raise ValueError(f"{self.config.task}: document ids are not unique")
        self.dataset = {"test": datasets.Dataset.from_list([dict(item.doc) for item in items])}
        self.config.metadata = {**(self.config.metadata or {}), "sebench": self.provenance()}

    def build_all_requests(self, *, rank: int = 0, **kwargs: Any) -> None:
        """Build the requests, once the sandbox is known to work. Raises SandboxUnavailable."""
        self._rank = rank
        if not self.predicts_only:
            self._check_sandbox()
        self._warn_of_equal_samples()
        super().build_all_requests(rank=rank, **kwargs)
        if any(map(self._is_stale, self.instances)):
            super().build_all_requests(rank=rank, **{**kwargs, "rewrite_requests_cache": True})

    def apply_filters(self) -> None:
        """Grade all responses of the run, or leave them as they are under `--predict_only`."""
        for instance in self.instances:
            # Data-parallel padding runs the last document of a rank again.
            instance.resps = instance.resps[: self.config.repeats]
        if not self.predicts_only:
            self._grade()
        for instance in self.instances:
            verdicts = self._verdicts.get(instance.doc["id"], [])
            codes = [verdict.code for verdict in verdicts]
            instance.filtered_resps[_FILTER] = list(instance.resps) if self.predicts_only else codes

    def process_results(self, doc: Mapping[str, Any], results: list[Any]) -> dict[str, Any]:
        """Scores of one document from the verdicts on its samples; nan where any sample is ungraded."""
        if self.predicts_only:
            return {"bypass": None}
        return _scores(self._verdicts.get(doc["id"], []), self.config.repeats)

    @property
    def predicts_only(self) -> bool:
        """Whether lm-eval only wants the responses (`--predict_only`)."""
        return "bypass" in self._metric_fn_list

    def _pool(self) -> Pool:
        workers = self.options.workers
        if workers is None:
            processors = len(os.sched_getaffinity(0))
            workers = max(1, processors // int(os.environ.get("LOCAL_WORLD_SIZE", "1")))
        return Pool(self.options.sandbox, self.vocabulary, workers)

    def _check_sandbox(self) -> None:
        with self._pool() as pool:
            pool.check()
            self.config.metadata["sebench"] |= pool.provenance

    def _warn_of_equal_samples(self) -> None:
        if self.options.samples > 1 and not self.config.generation_kwargs.get("do_sample"):
            logger.warning(
                "%s: sebench_n=%d with greedy decoding draws the same sample %d times. "
                "Pass --gen_kwargs do_sample=True,temperature=0.8 or the like.",
                self.config.task,
                self.options.samples,
                self.options.samples,
            )

    def _is_stale(self, instance: Instance) -> bool:
        """lm-eval's request cache does not know of vocabularies, repeats and generation settings."""
        item = self._items.get(instance.doc.get("id", ""))
        settings = instance.arguments[1]
        fresh = item is not None and instance.doc == item.doc and settings == self.config.generation_kwargs
        return not fresh or instance.repeats != self.config.repeats

    def _responses(self) -> list[spool.Response]:
        return [
            spool.Response(instance.doc["id"], number, text or "")
            for instance in self.instances
            for number, text in enumerate(instance.resps)
        ]

    def _grade(self) -> None:
        """Fill `_verdicts`. A fault of the machinery ends the grading, is logged, and leaves the rest ungraded."""
        self._verdicts = {}
        responses = self._responses()
        kept = self._spool(responses)
        try:
            for response, verdict in zip(responses, self._graded(responses), strict=True):
                self._verdicts.setdefault(response.id, []).append(verdict)
        except Exception as error:  # Raising would lose an hour of generation: the scores become nan instead.
            done = sum(map(len, self._verdicts.values()))
            logger.error(
                "%s: grading stopped after %d of %d responses (%s: %s). The scores of this task are not numbers. %s",
                self.config.task,
                done,
                len(responses),
                type(error).__name__,
                error,
                self._advice(kept),
                exc_info=True,
            )
        except BaseException:
            logger.error("%s: grading was interrupted. %s", self.config.task, self._advice(kept))
            raise

    def _graded(self, responses: Sequence[spool.Response]) -> Iterator[Verdict]:
        requests = (self._items[response.id].request(response.text) for response in responses)
        with self._pool() as pool:
            verdicts = pool.grade_all(requests)
            yield from tqdm(verdicts, f"Grading {self.config.task}", len(responses), disable=self._rank != 0)

    def _spool(self, responses: Sequence[spool.Response]) -> Path | None:
        """Keep the responses on disk: where the user wants them, else in a new temporary folder."""
        name = f"{self.config.task}-rank{self._rank}"
        wanted = self.options.spool or spool.default_folder()
        if self.options.spool is None:
            spool.prune(wanted)
        try:
            return spool.write(wanted, name, responses)
        except OSError as error:
            logger.error("%s: the responses cannot be kept on disk in %s (%s)", self.config.task, wanted, error)
        try:
            kept = spool.write_aside(name, responses)
        except OSError as error:
            logger.error("%s: nor in a temporary folder (%s); they are in memory only", self.config.task, error)
            return None
        logger.error("%s: they are kept in %s instead", self.config.task, kept)
        return kept

    def _advice(self, kept: Path | None) -> str:
        if kept is None:
            return "The responses are in lm-eval's samples file only (--log_samples)."
        return f"The responses are kept in {kept}; grade them with: {self.regrade_command(kept)}"


def _count(given: Mapping[str, Any], key: str, default: int | None) -> Any:
    value = given.get(key, default)
    if value is not default and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise ValueError(f"{key} takes a whole number of at least 1, got {value!r}")
    return value


def _rate_key(outcome: Outcome) -> str:
    return f"verdict_{outcome}"


def _metric_list(samples: int) -> list[dict[str, Any]]:
    """What lm-eval aggregates. Only its own `mean` gets a standard error."""
    scores = [f"avg@{samples}", *(f"pass@{k}" for k in ladder(samples))]
    metrics: list[dict[str, Any]] = [
        {"metric": name, "aggregation": "mean", "higher_is_better": True} for name in scores
    ]
    metrics += [
        {"metric": _rate_key(outcome), "aggregation": "mean", "higher_is_better": outcome is Outcome.PASSED}
        for outcome in Outcome
    ]
    return [*metrics, {"metric": "verdicts", "aggregation": count_verdicts, "higher_is_better": True}]


def count_verdicts(per_document: Sequence[Sequence[Mapping[str, Any]]]) -> int:
    """How many responses have a verdict: all of them, unless the machinery failed."""
    return sum(map(len, per_document))


def _scores(verdicts: Sequence[Verdict], samples: int) -> dict[str, Any]:
    """The metrics of one document. Every document has the same keys: lm-eval gathers ranks by key."""
    records = [verdict.as_dict() for verdict in verdicts]
    if len(verdicts) < samples:
        return {metric["metric"]: math.nan for metric in _metric_list(samples)} | {"verdicts": records}
    passed = sum(verdict.passed for verdict in verdicts)
    scores: dict[str, Any] = {f"avg@{samples}": average(verdicts)}
    scores |= {f"pass@{k}": pass_at_k(samples, passed, k) for k in ladder(samples)}
    scores |= {_rate_key(outcome): rate for outcome, rate in outcome_rates(verdicts).items()}
    return scores | {"verdicts": records}

"""The whole probe: plan, ask, judge."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sebench_tasks import versions
from sebench_tasks.probe import findings, plan, power, questions, sheet
from sebench_tasks.probe.findings import Finding
from sebench_tasks.probe.model import Form, Model, Settings
from sebench_tasks.probe.power import Limits
from sebench_tasks.probe.questions import Pair
from zwc.vocabulary import Vocabulary

PROBE_VERSION = 1
_PACKAGES = ("sebench-tasks", "lm_eval", "numpy", "torch", "transformers")


@dataclass(frozen=True)
class Design:
    """How much is asked: `limit` functions (None: all), each against `options` - 1 other names; `seed` draws."""

    limit: int | None = None
    options: int = 8
    seed: int = 0


@dataclass(frozen=True)
class Result:
    """Findings in the order of the vocabularies, what would have been noticed, and what it takes to repeat them."""

    findings: tuple[Finding, ...]
    noticed: Limits
    run: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {**self.run, "vocabularies": [{"verdict": f.text, **asdict(f)} for f in self.findings]}


def probe(vocabularies: Sequence[Vocabulary], settings: Settings, design: Design) -> Result:
    """Ask a model about vocabularies, and in the same way about one that nobody can know. Raises ProbeError."""
    started = time.monotonic()
    model = Model(settings)
    control, *plans = _plans(vocabularies, design, model.form)
    pairs = list(dict.fromkeys(pair for asked in (control, *plans) for pair in asked.pairs()))
    scores = model.scores(pairs)
    against = sheet.fill(control, scores)
    found = tuple(findings.judge(p, sheet.fill(p, scores), against, design.seed) for p in plans)
    noticed = power.limits(against, model.form, findings.SIGNIFICANCE, design.seed)
    run = {
        "probe_version": PROBE_VERSION,
        "questions_version": questions.QUESTIONS_VERSION,
        "questions_hash": _digest(pairs),
        "pairs": len(pairs),
        "model": {**asdict(settings), "form": model.form.value, "cache": settings.cache and str(settings.cache)},
        "design": asdict(design),
        "control": {"label": control.vocabulary.label, "fingerprint": control.vocabulary.fingerprint},
        "significance": findings.SIGNIFICANCE,
        "fewest_noticed": asdict(noticed),
        "versions": {name: versions.installed(name) for name in _PACKAGES},
        "seconds": round(time.monotonic() - started, 1),
    }
    return Result(found, noticed, run)


def _plans(vocabularies: Sequence[Vocabulary], design: Design, form: Form) -> list[plan.Plan]:
    """The control's plan, then one for each vocabulary. A response answers for all names at once: one block will do."""
    unknown = plan.UnknownNames(design.seed)
    size = design.options if form is Form.LIKELIHOOD else None
    functions = sorted(vocabularies[0].names)
    blocks = plan.blocks_of(functions, size, design.limit, design.seed)
    return [plan.make(words, blocks, design.options, unknown) for words in (unknown.vocabulary(), *vocabularies)]


def _digest(pairs: Sequence[Pair]) -> str:
    asked = [[questions.request(pair), questions.answer(pair)] for pair in pairs]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:12]

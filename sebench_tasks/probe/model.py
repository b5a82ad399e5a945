"""The model under test, through lm-eval's back ends, and how it scores pairs."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from sebench_tasks.errors import ProbeError
from sebench_tasks.probe import questions
from sebench_tasks.probe.questions import Pair

_WORD = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)*")
_TRIAL = ("One, two, three,", " four")


class Form(StrEnum):
    """How a pair is scored."""

    AUTO = "auto"
    LIKELIHOOD = "likelihood"
    GENERATION = "generation"


@dataclass(frozen=True)
class Settings:
    """What lm-eval needs to open a model. `cache` is a folder; answers found there are not asked for again."""

    backend: str
    arguments: str = ""
    batch_size: str = "1"
    device: str | None = None
    chat: bool = False
    form: Form = Form.AUTO
    max_tokens: int = 64
    cache: Path | None = None


class Model:
    """A model that scores pairs in the form that its back end allows: `form` is never AUTO."""

    def __init__(self, settings: Settings) -> None:
        """Load the model. Raises ProbeError if it cannot be opened or cannot be asked in the form wanted."""
        self._settings = settings
        self._model = _opened(settings)
        self.form = self._form()

    def scores(self, pairs: Sequence[Pair]) -> dict[Pair, float]:
        """The score of each pair: a log-likelihood in nats, or 1.0 where the response holds the answer and else 0.0."""
        return self._likelihoods(pairs) if self.form is Form.LIKELIHOOD else self._hits(pairs)

    def _form(self) -> Form:
        wanted = self._settings.form
        if wanted is Form.GENERATION:
            return wanted
        try:
            self._ask("loglikelihood", [_TRIAL])
        except (NotImplementedError, AssertionError) as error:  # an assertion where only some models of a back end can
            if wanted is Form.LIKELIHOOD:
                raise ProbeError(f"--model {self._settings.backend} gives no log-likelihoods: {error}") from error
            return Form.GENERATION
        return Form.LIKELIHOOD

    def _likelihoods(self, pairs: Sequence[Pair]) -> dict[Pair, float]:
        asked = {pair: (self._opening(pair) + questions.text(pair), questions.answer(pair)) for pair in pairs}
        answers = self._ask_once("loglikelihood", list(asked.values()))
        scores = {pair: float(answers[arguments][0]) for pair, arguments in asked.items()}
        if not all(map(math.isfinite, scores.values())):
            raise ProbeError("the model gives log-likelihoods that are not finite; try dtype=float32 in --model-args")
        return scores

    def _opening(self, pair: Pair) -> str:
        """In a chat the model is asked first; the unfinished text is then the beginning of its reply."""
        return str(self._chat(questions.request(pair))) if self._settings.chat else ""

    def _hits(self, pairs: Sequence[Pair]) -> dict[Pair, float]:
        until = ["\n\n"] if self._settings.chat else ["\n"]
        limits = {"until": until, "max_gen_toks": self._settings.max_tokens, "do_sample": False}
        form = (lambda pair: self._chat(questions.request(pair))) if self._settings.chat else questions.text
        asked = {pair: (form(pair), dict(limits)) for pair in pairs}
        answers = self._ask_once("generate_until", list(asked.values()), key=lambda arguments: arguments[0])
        _check(list(answers.values()))
        return {pair: float(_holds(answers[context], pair)) for pair, (context, _) in asked.items()}

    def _chat(self, message: str) -> Any:
        return self._model.apply_chat_template([{"role": "user", "content": message}])

    def _ask_once(
        self, kind: str, requests: list[Any], key: Callable[[Any], Any] = lambda arguments: arguments
    ) -> dict[Any, Any]:
        """Answers by the requests' keys; equal requests are asked once."""
        distinct = {key(arguments): arguments for arguments in requests}
        return dict(zip(distinct, self._ask(kind, list(distinct.values())), strict=True))

    def _ask(self, kind: str, requests: list[Any]) -> list[Any]:
        from lm_eval.api.instance import Instance

        instances = [Instance(kind, {}, arguments, number) for number, arguments in enumerate(requests)]
        return list(getattr(self._model, kind)(instances))


def _opened(settings: Settings) -> Any:
    try:
        import lm_eval.models  # noqa: F401  (lm-eval loads its own models only while its registry is empty)
        from lm_eval.api.model import CachingLM
        from lm_eval.api.registry import get_model
    except ImportError as error:
        raise ProbeError(f"the probe needs lm-eval: pip install 'sebench-tasks[lm-eval]' ({error})") from error
    try:
        model = get_model(settings.backend).create_from_arg_string(
            settings.arguments, {"batch_size": settings.batch_size, "device": settings.device}
        )
    except (ValueError, OSError, ImportError) as error:
        raise ProbeError(f"the model {settings.backend} {settings.arguments} cannot be opened: {error}") from error
    return model if settings.cache is None else CachingLM(model, str(settings.cache / _cache_name(settings)))


def _cache_name(settings: Settings) -> str:
    """One file per model: lm-eval's caches know the question but not who was asked."""
    asked = f"{settings.backend} {settings.arguments} {settings.chat}"
    return f"probe_{hashlib.sha256(asked.encode()).hexdigest()[:12]}.db"


def _check(responses: Sequence[str | None]) -> None:
    """Silence is no proof of ignorance: raise ProbeError where it comes from the back end, or is the rule."""
    if None in responses:
        raise ProbeError(f"the back end lost {responses.count(None)} of {len(responses)} responses; ask again")
    silent = sum(not (response or "").strip() for response in responses)
    if 2 * silent > len(responses):
        raise ProbeError(
            f"{silent} of {len(responses)} responses are empty, which says nothing about the model; a model that "
            "thinks first needs more --max-tokens, and one that follows instructions --apply-chat-template"
        )


def _holds(response: str, pair: Pair) -> bool:
    """Whether the response names the answer, with or without its module before it."""
    words = {word for path in _WORD.findall(response.lower()) for word in (path, path.rpartition(".")[2])}
    word = questions.answer_word(pair)
    return word in words or word.rpartition(".")[2] in words

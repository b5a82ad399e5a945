"""Stand-in models for lm-eval that answer from the document instead of the prompt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, NoReturn

from lm_eval.api.instance import Instance
from lm_eval.api.model import LM


class AnsweringLM(LM):  # type: ignore[misc]
    """Answers each request from its document; a model proper sees the request's context only."""

    def __init__(self, **settings: Any) -> None:
        """lm-eval passes batch size and device to every model; they mean nothing here."""
        super().__init__()

    @abstractmethod
    def answer(self, doc: Mapping[str, Any]) -> str:
        """The response to the document of one request."""

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """One answer per request, in their order."""
        return [self.answer(request.doc) for request in requests]

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> NoReturn:
        """Always raises NotImplementedError."""
        raise NotImplementedError(f"{type(self).__name__} writes answers and has no likelihoods")

    def loglikelihood_rolling(self, requests: list[Instance], disable_tqdm: bool = False) -> NoReturn:
        """Always raises NotImplementedError."""
        raise NotImplementedError(f"{type(self).__name__} writes answers and has no likelihoods")

    @property
    def tokenizer_name(self) -> str:
        """Part of the key under which lm-eval caches requests."""
        return type(self).__name__

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        """The messages one after another: nothing reads them."""
        return "\n".join(message["content"] for message in chat_history)

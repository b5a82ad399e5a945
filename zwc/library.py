"""The library in the caller's own process, for any vocabulary."""

from __future__ import annotations

import functools
import warnings
from typing import Any

from zwc import _client
from zwc._array import ZWCArray
from zwc.vocabulary import Vocabulary


class LocalLink:
    """Both ends of the conversation in one process: sending runs the kernel, in which no warning is heard."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        from zwc.kernel import Kernel

        self._callbacks = _CallbackLink()
        self._kernel = Kernel(signatures(vocabulary), link=self._callbacks)
        self._replies: list[Any] = []

    def serve(self, session: _client.Session) -> None:
        """Run the callbacks of `session`."""
        self._callbacks.session = session

    def send(self, message: Any) -> None:
        """Run one message and keep its answer."""
        from numpy import errstate

        with warnings.catch_warnings(action="ignore"), errstate(all="ignore"):
            self._replies.append(self._kernel.answer(message))

    def receive(self) -> Any:
        """The answer to the last message."""
        return self._replies.pop()


class _CallbackLink:
    """The kernel's way back to the client for callbacks: a call on the same stack."""

    session: _client.Session

    def __init__(self) -> None:
        self._answers: list[Any] = []

    def send(self, message: Any) -> None:
        self._answers.append(self.session.run_callback(*message[1:]))

    def receive(self) -> Any:
        return self._answers.pop()


@functools.lru_cache(maxsize=8)
def _signatures(fingerprint: str, vocabulary: Vocabulary) -> dict[str, Any]:
    from zwc import catalog
    from zwc._signature import Signature

    entries = catalog.load()
    return {vocabulary.wire_name(i): (i, Signature(entry.signature)) for i, entry in entries.items()}


def signatures(vocabulary: Vocabulary) -> dict[str, Any]:
    """`{pseudo-name: (function id, Signature)}`: what a kernel needs."""
    return _signatures(vocabulary.fingerprint, vocabulary)


def open_session(vocabulary: Vocabulary) -> _client.Session:
    """A client session on a kernel of its own in this process."""
    link = LocalLink(vocabulary)
    session = _client.Session(link, functools.partial(_document, vocabulary))
    link.serve(session)
    return session


def _document(vocabulary: Vocabulary, wire_name: str) -> str:
    from zwc.reference import help_text

    return help_text(wire_name, vocabulary)


def default_session() -> _client.Session:
    """A session with the default vocabulary."""
    return open_session(Vocabulary.default())


class Library:
    """The library under one vocabulary: functions as attributes, linear algebra under `rfx`."""

    ZWCArray = ZWCArray

    def __init__(self, session: _client.Session, prefix: str = "") -> None:
        self._session = session
        self._prefix = prefix

    @property
    def rfx(self) -> Library:
        """Linear algebra."""
        return Library(self._session, "rfx.")

    def __getattr__(self, name: str) -> _client.Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._session.lookup(self._prefix, name)


def open_library(vocabulary: Vocabulary) -> Library:
    """The library under `vocabulary`, on a kernel in this process."""
    return Library(open_session(vocabulary))

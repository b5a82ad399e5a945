"""The library in the caller's own process, for any vocabulary."""

from __future__ import annotations

import functools
from collections import deque
from typing import Any

from zwc import _client
from zwc.vocabulary import Vocabulary


class LocalLink:
    """Both ends of the conversation in one process: sending runs the kernel."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        from zwc.kernel import Kernel

        self._kernel = Kernel(signatures(vocabulary))
        self._kernel._link = _CallbackLink(self)
        self._replies: deque[Any] = deque()
        self.session: _client.Session | None = None

    def send(self, message: Any) -> None:
        """Run one message and keep its answer."""
        from zwc.kernel import quiet

        with quiet():
            self._replies.append(self._kernel.answer(message))

    def receive(self) -> Any:
        """The answer to the last message."""
        return self._replies.pop()


class _CallbackLink:
    """The kernel's way back to the client for callbacks: a call on the same stack."""

    def __init__(self, local: LocalLink) -> None:
        self._local = local
        self._answers: list[Any] = []

    def send(self, message: Any) -> None:
        session = self._local.session
        assert session is not None
        self._answers.append(session._run_callback(message[1], message[2]))

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
    session = _client.Session(link)
    link.session = session
    return session


def default_session() -> _client.Session:
    """A session with the default vocabulary."""
    return open_session(Vocabulary.default())


class Library:
    """The library under one vocabulary: functions as attributes, linear algebra under `rfx`."""

    def __init__(self, session: _client.Session, prefix: str = "") -> None:
        self._session = session
        self._prefix = prefix

    @property
    def rfx(self) -> Library:
        """Linear algebra."""
        return Library(self._session, "rfx.")

    def __getattr__(self, name: str) -> Any:
        return _client.lookup(self._session, self._prefix, name)


def open_library(vocabulary: Vocabulary) -> Library:
    """The library under `vocabulary`, on a kernel in this process."""
    return Library(open_session(vocabulary))

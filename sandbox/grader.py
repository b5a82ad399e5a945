"""What every pool offers, wherever it grades: on this machine or on a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from sandbox.records import GradingRequest, Verdict

AHEAD = 4
"""Requests for each worker that a pool takes before it waits for verdicts."""


class Grader(ABC):
    """Grades requests in parallel, bounded. Use it as a context manager."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many responses are graded at a time."""

    @property
    @abstractmethod
    def provenance(self) -> dict[str, str]:
        """What a result should carry about its grading."""

    @abstractmethod
    def check(self) -> None:
        """Run a trivial solution. Raises SandboxUnavailable with the reason."""

    @abstractmethod
    def submit(self, request: GradingRequest) -> Future[Verdict]:
        """Queue one response; blocks while too many are queued already."""

    @abstractmethod
    async def grade_async(self, request: GradingRequest) -> Verdict:
        """Grade one response without blocking the running event loop."""

    @abstractmethod
    def close(self) -> None:
        """End all guests. What is being graded fails with SandboxError."""

    def grade(self, request: GradingRequest) -> Verdict:
        """Grade one response. Raises SandboxError if the machinery fails."""
        return self.submit(request).result()

    def grade_all(self, requests: Iterable[GradingRequest]) -> Generator[Verdict]:
        """Verdicts in the order of `requests`, graded in parallel; takes requests only as fast as they are graded."""
        pending: deque[Future[Verdict]] = deque()
        try:
            for request in requests:
                pending.append(self.submit(request))
                while len(pending) >= AHEAD * max(1, self.workers):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()

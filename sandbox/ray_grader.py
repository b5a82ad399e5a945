"""What runs on each node of a Ray cluster: an ordinary pool behind asynchronous calls."""

from __future__ import annotations

import asyncio
import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.errors import SandboxUnavailable
from sandbox.launchers.commands import PROJECT_ROOT
from sandbox.pool import Pool
from sandbox.records import GradingRequest, Limits, Verdict
from zwc.vocabulary import Vocabulary

_SOURCES = (".py", ".toml", ".json", ".txt")


@dataclass(frozen=True)
class Setup:
    """What a node needs to grade as the caller would: plain data, so that no file has to be there.

    `source` is the caller's `source_fingerprint`.
    """

    sandbox: str
    names: Mapping[str, str]
    label: str
    limits: Limits
    source: str

    @classmethod
    def of(cls, sandbox: str, vocabulary: Vocabulary, limits: Limits) -> Setup:
        """The setup that this process asks for."""
        return cls(sandbox, dict(vocabulary.names), vocabulary.label, limits, source_fingerprint())


class NodeGrader:
    """A pool on this node. Made into a Ray actor by `ray_nodes`; its calls may overlap."""

    def __init__(self, setup: Setup, workers: int) -> None:
        self._source = setup.source
        self._pool = Pool(setup.sandbox, Vocabulary(setup.names, setup.label), workers, setup.limits)

    async def probe(self) -> dict[str, str]:
        """Run a trivial solution; the pool's provenance. Raises SandboxUnavailable if this node must not grade."""
        if source_fingerprint() != self._source:
            raise SandboxUnavailable("another version of sebench-tasks is installed there; install the caller's")
        await asyncio.to_thread(self._pool.check)
        return await asyncio.to_thread(lambda: self._pool.provenance)

    async def grade(self, request: GradingRequest) -> Verdict:
        """Grade one response. Raises SandboxError if the machinery of this node fails."""
        return await self._pool.grade_async(request)

    async def close(self) -> None:
        """End the guests."""
        await asyncio.to_thread(self._pool.close)


@functools.cache
def source_fingerprint() -> str:
    """Twelve hexadecimal digits of everything that a verdict depends on in this project's own files."""
    digest = hashlib.sha256()
    for package in ("sandbox", "zwc"):
        for path in sorted((PROJECT_ROOT / package).rglob("*")):
            if path.suffix in _SOURCES:
                digest.update(str(path.relative_to(PROJECT_ROOT)).encode() + b"\0")
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]

"""The pool on a Ray cluster: one call grades on all nodes, and a node that dies loses no response."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.grader import Grader
from sandbox.ray_grader import Setup
from sandbox.records import GradingRequest, Limits, Verdict
from zwc.vocabulary import Vocabulary

if TYPE_CHECKING:
    from sandbox.ray_nodes import Node, Nodes

_LISTENER_S = 10.0
_LOCAL_STORE_BYTES = 80 << 20
_Result = TypeVar("_Result")


class RayPool(Grader):
    """Grades requests with an ordinary pool on every node of a Ray cluster. Use it as a context manager.

    `sandbox` is a name that the nodes resolve for themselves, `workers_per_node` by default each node's number of CPUs
    in Ray. `address` is used where this process is not connected to Ray yet: as for `ray.init`, `auto` for the running
    cluster, `local` for a new one on this machine, and None for the running one or else a new one. A response whose
    node failed is graded again elsewhere, at most `retries` times.

    Everything starts at first use. The graders end with the pool or the process that made it, and guests with them.
    """

    def __init__(
        self,
        sandbox: str = "auto",
        vocabulary: Vocabulary | None = None,
        workers_per_node: int | None = None,
        limits: Limits | None = None,
        address: str | None = None,
        retries: int = 3,
    ) -> None:
        if workers_per_node is not None and workers_per_node < 1:
            raise ValueError(f"workers_per_node must be at least 1, got {workers_per_node}")
        if retries < 0:
            raise ValueError(f"retries must not be negative, got {retries}")
        self.vocabulary = vocabulary or Vocabulary.default()
        self.limits = limits or Limits()
        self._sandbox = sandbox
        self._workers_per_node = workers_per_node
        self._address = address
        self._retries = retries
        self._opening = threading.Lock()
        self._opened: _Opened | None = None
        self._closed = False

    @property
    def workers(self) -> int:
        """Workers of all nodes that grade now."""
        return self._open().nodes.workers

    @property
    def in_flight(self) -> int:
        """Requests that nodes hold now: at most twice their workers."""
        return self._open().nodes.in_flight

    @property
    def unusable(self) -> dict[str, str]:
        """Nodes that do not grade, by name, with the reason."""
        return self._open().nodes.unusable

    @property
    def provenance(self) -> dict[str, str]:
        """What a result should carry about its grading; where nodes differ, all their values."""
        self.check()
        return self._open().nodes.provenance

    def check(self) -> None:
        """Run a trivial solution on every node. Raises SandboxUnavailable, with each node's reason, if none works."""
        opened = self._open()
        opened.call(opened.nodes.settle()).result()

    async def grade_async(self, request: GradingRequest) -> Verdict:
        """Grade one response without blocking the running event loop."""
        opened = self._opened
        if opened is None:
            opened = await asyncio.to_thread(self._open)
        return await asyncio.wrap_future(opened.call(self._grade(opened.nodes, request, lambda: None)))

    def submit(self, request: GradingRequest) -> Future[Verdict]:
        """Hand one response to a node; blocks while all nodes are busy."""
        opened = self._open()
        admitted = threading.Event()
        future = opened.call(self._grade(opened.nodes, request, admitted.set))
        future.add_done_callback(lambda _: admitted.set())
        try:
            admitted.wait()
        except BaseException:
            future.cancel()
            raise
        return future

    def close(self) -> None:
        """End all graders and guests. What is being graded fails with SandboxError."""
        with self._opening:
            self._closed = True
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def _open(self) -> _Opened:
        with self._opening:
            if self._closed:
                raise SandboxError("the pool is closed")
            if self._opened is None:
                setup = Setup.of(self._sandbox, self.vocabulary, self.limits)
                self._opened = _Opened(self._address, setup, self._workers_per_node)
            return self._opened

    async def _grade(self, nodes: Nodes, request: GradingRequest, admitted: Callable[[], None]) -> Verdict:
        failures: list[str] = []
        tried: set[str] = set()
        for _ in range(1 + self._retries):
            node = await nodes.acquire(tried)
            admitted()
            tried.add(node.id)
            try:
                return await _attempt(nodes, node, request)
            except _AttemptFailed as failure:
                failures.append(f"{node.name}: {failure}")
            finally:
                nodes.release(node)
        raise SandboxError(f"no verdict after {len(failures)} attempts:\n  " + "\n  ".join(failures))


class _AttemptFailed(Exception):
    """A node failed; nothing is said about the response."""


async def _attempt(nodes: Nodes, node: Node, request: GradingRequest) -> Verdict:
    """Grade on one node. Raises _AttemptFailed if the node failed, and what the pool raises for a bad request."""
    import ray
    from ray.exceptions import RayError, RayTaskError

    from sandbox.ray_nodes import reason

    reference = node.grader.grade.remote(request)
    try:
        verdict: Verdict = await reference
    except asyncio.CancelledError:
        ray.cancel(reference)
        raise
    except RayTaskError as error:
        if not isinstance(error.cause, SandboxError | RayError):
            raise error.cause from error
        nodes.doubt(node)
        raise _AttemptFailed(reason(error)) from error
    except RayError as error:
        nodes.lose(node, reason(error))
        raise _AttemptFailed(reason(error)) from error
    nodes.praise(node)
    return verdict


class _Opened:
    """A connection to Ray, and the thread whose event loop looks after the nodes."""

    def __init__(self, address: str | None, setup: Setup, workers_per_node: int | None) -> None:
        self._ending = threading.Lock()
        self._ended = False
        self._connected_here = _connect(address)
        from sandbox.ray_nodes import Nodes

        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sebench-ray", daemon=True)
        self._thread.start()
        self.nodes = Nodes(setup, workers_per_node)
        self._watching = self.call(self.nodes.watch())

    def call(self, work: Coroutine[Any, Any, _Result]) -> Future[_Result]:
        """Run a coroutine on the loop. Raises SandboxError once `close` was called."""
        with self._ending:
            if not self._ended:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        work.close()
        raise SandboxError("the pool is closed")

    def close(self) -> None:
        """End the graders, the thread, and the connection if it was made here."""
        with self._ending:
            self._ended = True
        self._watching.cancel()
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if self._connected_here:
            import ray

            ray.shutdown()

    async def _finish(self) -> None:
        await self.nodes.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)
        await self._loop.shutdown_default_executor()


def _connect(address: str | None) -> bool:
    """Connect this process to Ray; whether it was not connected before. Raises SandboxUnavailable."""
    try:
        import ray
    except ImportError as error:
        raise SandboxUnavailable("Ray is not installed: `pip install 'sebench-tasks[ray]'`") from error
    if ray.is_initialized():
        return False
    try:
        _need_listener(address or "")
        _join(ray, address or "auto")
    except (OSError, ValueError) as error:
        if address is not None:
            raise SandboxUnavailable(f"no Ray cluster at {address!r}: {error}") from error
        _join(ray, "local")
    return True


def _need_listener(address: str) -> None:
    """Raise OSError if nobody listens at HOST:PORT. Ray would try for many minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit() and "/" not in host:
        socket.create_connection((host, int(port)), _LISTENER_S).close()


def _join(ray: Any, address: str) -> None:
    started_here = {"include_dashboard": False, "object_store_memory": _LOCAL_STORE_BYTES}
    options = started_here if address == "local" else {}
    ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING, **options)

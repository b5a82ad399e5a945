"""The nodes of a Ray cluster that can grade: found, probed, watched and replaced.

Everything here runs on one event loop. Importing this module needs Ray.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, defaultdict
from collections.abc import Container, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.ray_grader import NodeGrader, Setup

AHEAD = 2
_PROBE_S = 180.0
_REFRESH_S = 5.0
_CLOSE_S = 10.0
_DEATHS = 3

_logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Node:
    """One life of a grader on a node of the cluster. Only a `ready` one is given work."""

    id: str
    name: str
    workers: int
    grader: Any
    ready: bool = False
    in_flight: int = 0


class Nodes:
    """Graders on all alive nodes that offer Ray a CPU; `workers_per_node` is by default a node's number of CPUs.

    A node takes at most AHEAD times its workers at once. One whose sandbox does not work, or whose grader died
    `_DEATHS` times without a verdict in between, is given up for good and named in `unusable`.
    """

    def __init__(self, setup: Setup, workers_per_node: int | None) -> None:
        self._setup = setup
        self._workers_per_node = workers_per_node
        self._nodes: dict[str, Node] = {}
        self._unusable: dict[str, tuple[str, str]] = {}
        self._deaths: Counter[str] = Counter()
        self._last_loss = ""
        self._provenance: defaultdict[str, set[str]] = defaultdict(set)
        self._turn = asyncio.Lock()
        self._refreshing = asyncio.Lock()
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def workers(self) -> int:
        """Workers of all nodes that grade now."""
        return sum(node.workers for node in list(self._nodes.values()) if node.ready)

    @property
    def in_flight(self) -> int:
        """Requests that nodes hold now."""
        return sum(node.in_flight for node in list(self._nodes.values()))

    @property
    def unusable(self) -> dict[str, str]:
        """Why nodes were given up, by their names."""
        return dict(list(self._unusable.values()))

    @property
    def provenance(self) -> dict[str, str]:
        """What all nodes that ever could grade say of their sandboxes; values that differ are listed."""
        return {key: ", ".join(sorted(values)) for key, values in self._provenance.items()}

    async def watch(self) -> None:
        """Find nodes that join or leave, until cancelled."""
        while True:
            with contextlib.suppress(SandboxUnavailable):
                await self.refresh()
            await asyncio.sleep(_REFRESH_S)

    async def refresh(self) -> None:
        """Compare with Ray's table of nodes: start graders on new ones, forget those that left.

        Raises SandboxUnavailable if Ray does not answer.
        """
        async with self._refreshing:
            alive = await asyncio.to_thread(_alive)
            if self._closed:
                return
            for node in [node for node in self._nodes.values() if node.id not in alive]:
                self.lose(node, "it left the cluster")
            for node_id in alive.keys() - self._nodes.keys() - self._unusable.keys():
                self._add(alive[node_id])

    async def settle(self) -> None:
        """Wait until every node known now is either ready or given up. Raises SandboxUnavailable if none is ready."""
        while not self._nodes or not all(node.ready for node in self._nodes.values()):
            await self._hope()

    async def acquire(self, avoid: Container[str]) -> Node:
        """A node with room for one request, one not in `avoid` if possible; waits for it, first come first served.

        Raises SandboxUnavailable if no node is left. `release` it.
        """
        async with self._turn:
            while (node := self._free(avoid)) is None:
                await self._hope()
            node.in_flight += 1
            return node

    def release(self, node: Node) -> None:
        """Give back what `acquire` gave."""
        node.in_flight -= 1
        self._changed.set()

    def praise(self, node: Node) -> None:
        """Note that the node gave a verdict."""
        self._deaths.pop(node.id, None)

    def doubt(self, node: Node) -> None:
        """Probe a node again before it gets more work."""
        if node.ready:
            node.ready = False
            self._spawn(self._probe(node))

    def lose(self, node: Node, reason: str) -> None:
        """Note that the node's grader is gone. The next refresh starts another if the node still lives."""
        if self._drop(node):
            self._deaths[node.id] += 1
            self._last_loss = f"{node.name}: {reason}"
            _logger.warning("lost the grader on %s: %s", node.name, reason)
            if self._deaths[node.id] >= _DEATHS:
                self._unusable[node.id] = node.name, f"its grader died {_DEATHS} times in a row: {reason}"

    async def close(self) -> None:
        """End all graders and their guests; whoever waits for a node gets SandboxError."""
        self._closed = True
        self._changed.set()
        nodes = list(self._nodes.values())
        self._nodes.clear()
        closing = [asyncio.ensure_future(node.grader.close.remote()) for node in nodes]
        if closing:
            await asyncio.wait(closing, timeout=_CLOSE_S)
        for node in nodes:
            _kill(node)
        for task in [*closing, *self._tasks]:
            task.cancel()
        await asyncio.gather(*closing, *self._tasks, return_exceptions=True)

    def _free(self, avoid: Container[str]) -> Node | None:
        free = [node for node in self._nodes.values() if node.ready and node.in_flight < AHEAD * node.workers]
        return min(free, key=lambda node: (node.id in avoid, node.in_flight / node.workers), default=None)

    async def _hope(self) -> None:
        """Wait until something changes. Raises SandboxUnavailable if nothing can."""
        if self._closed:
            raise SandboxError("the pool is closed")
        if self._nodes:
            self._changed.clear()
            await self._changed.wait()
            return
        await self.refresh()
        if not self._nodes:
            raise SandboxUnavailable(self._why_none())

    def _why_none(self) -> str:
        reasons = [f"  {name}: {reason}" for name, reason in self.unusable.items()]
        if self._last_loss:
            reasons.append(f"  last lost: {self._last_loss}")
        return "\n".join(["no node of the Ray cluster can grade:", *(reasons or ["  none offers Ray a CPU"])])

    def _add(self, record: Mapping[str, Any]) -> None:
        cpus = int(record["Resources"].get("CPU", 0))
        if cpus < 1:
            return
        workers = self._workers_per_node or cpus
        name = f"{record['NodeManagerHostname']} ({record['NodeID'][:8]})"
        node = Node(record["NodeID"], name, workers, _grader(record["NodeID"], self._setup, workers))
        self._nodes[node.id] = node
        self._spawn(self._probe(node))

    async def _probe(self, node: Node) -> None:
        try:
            found = await asyncio.wait_for(node.grader.probe.remote(), _PROBE_S)
        except RayTaskError as error:
            self._give_up(node, reason(error))
        except TimeoutError:
            self._give_up(node, f"its grader did not answer within {_PROBE_S:g} s")
        except RayError as error:
            self.lose(node, reason(error))
        else:
            for key, value in found.items():
                self._provenance[key].add(value)
            node.ready = True
            self._changed.set()

    def _give_up(self, node: Node, reason: str) -> None:
        if self._drop(node):
            self._unusable[node.id] = node.name, reason
            _logger.warning("%s does not grade: %s", node.name, reason)

    def _drop(self, node: Node) -> bool:
        """End this life of a grader; whether it had not ended before."""
        if self._nodes.get(node.id) is not node:
            return False
        del self._nodes[node.id]
        _kill(node)
        self._changed.set()
        return True

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def reason(error: RayError) -> str:
    """The part of one of Ray's errors that says what happened: its cause, or else its last line."""
    text = str(error.cause if isinstance(error, RayTaskError) else error).strip()
    return (text if isinstance(error, RayTaskError) else text.rpartition("\n")[2].strip())[:400]


def _kill(node: Node) -> None:
    with contextlib.suppress(RayError):
        ray.kill(node.grader)


def _alive() -> dict[str, Mapping[str, Any]]:
    """Ray's records of the nodes that live, by id."""
    try:
        return {record["NodeID"]: record for record in ray.nodes() if record["Alive"]}
    except (RayError, RuntimeError, OSError) as error:
        raise SandboxUnavailable(f"Ray does not answer: {error}") from error


def _grader(node_id: str, setup: Setup, workers: int) -> Any:
    """A grader on one node and no other.

    It reserves no CPU, so that it also starts where a trainer holds them all. Ray neither restarts it nor repeats its
    calls: it could do both on this node only, and the pool does it anywhere.
    """
    options = {
        "num_cpus": 0,
        "max_restarts": 0,
        "max_task_retries": 0,
        "max_concurrency": AHEAD * workers + 8,
        "scheduling_strategy": NodeAffinitySchedulingStrategy(node_id, soft=False),
    }
    return ray.remote(NodeGrader).options(**options).remote(setup, workers)

"""The pool on a real Ray cluster of several nodes, all on this machine."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.pool import Pool
from sandbox.ray_pool import RayPool
from sandbox.records import Case, GradingRequest, Outcome, Verdict
from tests.conftest import QUICK, launcher_or_skip
from tests.guests import alive, descendants
from tests.sandbox.mean_requests import CASES, HONEST, MEAN, request
from zwc.vocabulary import Vocabulary

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed (pip install 'sebench-tasks[ray]')"
)

ROOT = Path(__file__).resolve().parents[2]
STORE_BYTES = 80 << 20
KINDS = (
    HONEST,
    f"import zwc\ndef f(x): return {MEAN}(x) + {{i}}",
    "def f(x): return {i}",
    f"import zwc\ndef f(x): return {MEAN}(x, along={{i}})",
    "import zwc\ndef f(x): return x[{i} + 99]",
    "no code at all, number {i}",
)
BATCH = [request(KINDS[i % len(KINDS)].replace("{i}", str(i + 1))) for i in range(60)]
SLOW = request(f"import zwc, time\ndef f(x):\n    time.sleep(0.3)\n    return {MEAN}(x)", CASES[:1])


class LocalCluster:
    """A head that offers no CPU, with the driver, and nodes of one CPU each."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE_BYTES}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address: str = self._cluster.address

    @property
    def nodes(self) -> list[Any]:
        """The nodes that grade."""
        return list(self._cluster.worker_nodes)

    def add(self, **environment: str) -> Any:
        """One more node."""
        return self._cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES, env_vars=environment)

    def remove(self, node: Any, *, graceful: bool = True) -> None:
        """End a node with all its processes."""
        self._cluster.remove_node(node, allow_graceful=graceful)

    def resize(self, count: int) -> None:
        """Have exactly so many nodes."""
        for node in self.nodes[count:]:
            self.remove(node)
        while len(self.nodes) < count:
            self.add()

    def shutdown(self) -> None:
        """End everything."""
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def running_cluster() -> Iterator[LocalCluster]:
    launcher_or_skip("bwrap")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        cluster = LocalCluster()
        yield cluster
        cluster.shutdown()


@pytest.fixture
def cluster(running_cluster: LocalCluster) -> LocalCluster:
    """Three nodes, whatever an earlier test did to them."""
    running_cluster.resize(3)
    return running_cluster


@pytest.fixture(scope="module")
def lasting_pool(running_cluster: LocalCluster) -> Iterator[RayPool]:
    with RayPool("bwrap", limits=QUICK, address=running_cluster.address) as pool:
        yield pool


@pytest.fixture
def pool(cluster: LocalCluster, lasting_pool: RayPool) -> RayPool:
    """One pool for all tests: it must recover from what happens to its nodes."""
    until(lambda: lasting_pool.workers == 3)
    return lasting_pool


@pytest.fixture(scope="module")
def expected() -> list[Verdict]:
    """What an ordinary pool says of the batch."""
    launcher_or_skip("bwrap")
    with Pool("bwrap", workers=2, limits=QUICK) as pool:
        return untimed(pool.grade_all(BATCH))


def untimed(verdicts: Any) -> list[Verdict]:
    return [replace(verdict, seconds=0.0) for verdict in verdicts]


def until(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def graders(node: Any) -> list[int]:
    """The processes of graders on a node."""
    raylet = node.all_processes["raylet"][0].process.pid
    return [pid for pid in descendants(raylet) if command_line(pid).startswith("ray::NodeGrader")]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


def guests(nodes: list[Any]) -> set[int]:
    """All processes of guests on some nodes."""
    return {pid for node in nodes for grader in graders(node) for pid in descendants(grader)}


def processes(cluster: LocalCluster) -> set[int]:
    """Graders and guests of the whole cluster."""
    return {pid for node in cluster.nodes for pid in graders(node)} | guests(cluster.nodes)


def own_processes(cluster: LocalCluster, others: set[int]) -> set[int]:
    """Those of a pool that has just started, on every node a grader and a guest."""
    found = processes(cluster) - others
    own = [(set(graders(node)) & found, guests([node]) & found) for node in cluster.nodes]
    assert all(len(of_node) == 1 and of_guests for of_node, of_guests in own), own
    return found


def test_the_batch_has_many_verdicts(expected: list[Verdict]) -> None:
    assert len({verdict.outcome for verdict in expected}) == len(KINDS)
    assert len(set(expected)) > len(expected) / 2


def test_verdicts_are_those_of_an_ordinary_pool(pool: RayPool, cluster: LocalCluster, expected: list[Verdict]) -> None:
    assert untimed(pool.grade_all(BATCH)) == expected
    assert pool.workers == len(cluster.nodes) == 3
    assert all(guests([node]) for node in cluster.nodes), "a node had nothing to do"


def test_provenance_is_that_of_an_ordinary_pool(pool: RayPool) -> None:
    with Pool("bwrap", workers=1) as ordinary:
        assert pool.provenance == ordinary.provenance


def test_the_vocabulary_travels(cluster: LocalCluster) -> None:
    vocabulary = Vocabulary.from_seed(7)
    other = request(HONEST.replace(MEAN, vocabulary.qualified("mean")))
    with RayPool("bwrap", vocabulary, limits=QUICK, address=cluster.address) as pool:
        assert [pool.grade(r).outcome for r in (other, request(HONEST))] == [Outcome.PASSED, Outcome.UNKNOWN_FUNCTION]
        assert pool.provenance["vocabulary"] == "seed:7"


def test_limits_and_workers_travel(cluster: LocalCluster) -> None:
    limits = replace(QUICK, wall_s=0.2)
    with RayPool("bwrap", workers_per_node=2, limits=limits, address=cluster.address) as pool:
        pool.check()
        assert pool.workers == 6
        assert pool.grade(SLOW).outcome is Outcome.TIMEOUT


def test_event_loops_and_threads_share_a_pool(pool: RayPool, expected: list[Verdict]) -> None:
    async def grade() -> list[Verdict]:
        return untimed(await asyncio.gather(*(pool.grade_async(one) for one in BATCH)))

    results: list[list[Verdict]] = []
    threads = [threading.Thread(target=lambda: results.append(asyncio.run(grade()))) for _ in range(2)]
    for thread in threads:
        thread.start()
    results.append(untimed(pool.grade_all(BATCH)))
    for thread in threads:
        thread.join()
    assert results == [expected] * 3


def test_the_event_loop_stays_free(cluster: LocalCluster) -> None:
    async def watch(pool: RayPool) -> float:
        grading = asyncio.gather(*(pool.grade_async(one) for one in BATCH))
        longest = 0.0
        while not grading.done():
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)
        assert len(await grading) == len(BATCH)
        return longest

    with RayPool("bwrap", limits=QUICK, address=cluster.address) as pool:
        assert asyncio.run(watch(pool)) < 1.0


def test_a_cancelled_response_frees_its_place(pool: RayPool) -> None:
    async def cancel() -> Verdict:
        waiting = [asyncio.create_task(pool.grade_async(SLOW)) for _ in range(30)]
        await asyncio.sleep(0.2)
        for task in waiting:
            task.cancel()
        assert all(
            isinstance(e, asyncio.CancelledError) for e in await asyncio.gather(*waiting, return_exceptions=True)
        )
        return await asyncio.wait_for(pool.grade_async(request(HONEST)), 5)

    assert asyncio.run(cancel()).passed
    assert pool.in_flight == 0


def test_back_pressure(pool: RayPool) -> None:
    taken = 0
    most_in_flight = 0

    def endless() -> Iterator[GradingRequest]:
        nonlocal taken, most_in_flight
        while True:
            taken += 1
            most_in_flight = max(most_in_flight, pool.in_flight)
            yield SLOW

    verdicts = pool.grade_all(endless())
    for given in range(10):
        assert next(verdicts).passed
        assert taken - given <= 4 * pool.workers
    verdicts.close()
    assert pool.workers <= most_in_flight <= 2 * pool.workers


def test_a_killed_grader_loses_nothing(pool: RayPool, cluster: LocalCluster, expected: list[Verdict]) -> None:
    verdicts = pool.grade_all(BATCH)
    first = [next(verdicts) for _ in range(10)]
    (killed,) = graders(cluster.nodes[0])
    os.kill(killed, signal.SIGKILL)
    assert untimed([*first, *verdicts]) == expected
    until(lambda: graders(cluster.nodes[0]) not in ([], [killed]))
    until(lambda: pool.workers == 3)
    assert pool.unusable == {}


@pytest.mark.parametrize("graceful", [True, False], ids=["terminated", "killed"])
def test_a_node_that_joins_and_dies(
    pool: RayPool, cluster: LocalCluster, expected: list[Verdict], graceful: bool
) -> None:
    joining = cluster.add()
    until(lambda: pool.workers == 4)
    verdicts = pool.grade_all(BATCH)
    first = [next(verdicts) for _ in range(10)]
    assert guests([joining]), "the new node had nothing to do"
    cluster.remove(joining, graceful=graceful)
    assert untimed([*first, *verdicts]) == expected
    until(lambda: pool.workers == 3)


def test_all_nodes_gone(pool: RayPool, cluster: LocalCluster) -> None:
    verdicts = pool.grade_all([SLOW] * 60)
    assert next(verdicts).passed
    cluster.resize(0)
    with pytest.raises(SandboxUnavailable, match=r"no node of the Ray cluster can grade:\n  last lost: .+"):
        list(verdicts)


@pytest.mark.usefixtures("pool")  # at rest: what its nodes start meanwhile would count as this test's
def test_retries_are_bounded(cluster: LocalCluster) -> None:
    others = processes(cluster)
    with RayPool("bwrap", limits=QUICK, address=cluster.address, retries=0) as pool:
        pool.check()
        futures = [pool.submit(SLOW) for _ in range(6)]
        for pid in {pid for node in cluster.nodes for pid in graders(node)} - others:
            os.kill(pid, signal.SIGKILL)
        for future in futures:
            with pytest.raises(
                SandboxError, match=r"no verdict after 1 attempts:\n  .+\(\w+\): .+worker process has died"
            ):
                future.result()
        assert pool.grade(request(HONEST)).passed


def broken_bwrap(folder: Path, condition: str) -> str:
    """A PATH whose bwrap refuses while the shell's condition holds."""
    program = folder / "bwrap"
    program.write_text(
        f'#!/bin/sh\nif {condition}; then echo "out of order" >&2; exit 1; fi\nexec /usr/bin/bwrap "$@"\n'
    )
    program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_a_node_whose_sandbox_fails(
    cluster: LocalCluster, tmp_path: Path, expected: list[Verdict], caplog: pytest.LogCaptureFixture
) -> None:
    broken = cluster.add(PATH=broken_bwrap(tmp_path, "true"))
    with RayPool("bwrap", limits=QUICK, address=cluster.address) as pool:
        pool.check()
        ((name, reason),) = pool.unusable.items()
        assert f"({broken.node_id[:8]})" in name
        assert "out of order" in reason
        assert f"{name} does not grade: {reason}" in caplog.text
        assert untimed(pool.grade_all(BATCH)) == expected
        assert pool.workers == 3
    cluster.remove(broken)


def test_a_sandbox_that_fails_later(cluster: LocalCluster, tmp_path: Path, expected: list[Verdict]) -> None:
    flag = tmp_path / "flag"
    breaking = cluster.add(PATH=broken_bwrap(tmp_path, f"test -e {flag}"))
    with RayPool("bwrap", limits=QUICK, address=cluster.address) as pool:
        pool.check()
        assert (pool.workers, pool.unusable) == (4, {})
        verdicts = pool.grade_all(BATCH)
        first = [next(verdicts) for _ in range(10)]
        flag.touch()
        for pid in guests([breaking]):
            os.kill(pid, signal.SIGKILL)
        assert untimed([*first, *verdicts]) == expected
        until(lambda: len(pool.unusable) == 1)
    cluster.remove(breaking)


def test_no_node_has_a_sandbox(cluster: LocalCluster) -> None:
    with (
        RayPool("nonsense", address=cluster.address) as pool,
        pytest.raises(SandboxUnavailable, match=r"(\n  .+\(\w{8}\): unknown sandbox 'nonsense'.+){3}"),
    ):
        pool.check()


def test_another_version_does_not_grade(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.ray_grader.source_fingerprint", lambda: "0" * 12)
    with (
        RayPool("bwrap", address=cluster.address) as pool,
        pytest.raises(SandboxUnavailable, match="another version of sebench-tasks"),
    ):
        pool.grade(request(HONEST))


def test_a_bad_request_is_no_fault_of_a_node(pool: RayPool) -> None:
    bad = request(HONEST, (Case({"x": object}, 1),))
    unusable = pool.unusable
    with Pool("bwrap", workers=1) as ordinary, pytest.raises(Exception) as caught:  # noqa: PT011
        ordinary.grade(bad)
    with pytest.raises(type(caught.value)):
        pool.grade(bad)
    assert not isinstance(caught.value, SandboxError)
    assert pool.grade(request(HONEST)).passed
    assert (pool.workers, pool.unusable) == (3, unusable)


@pytest.mark.usefixtures("pool")  # at rest: what its nodes start meanwhile would count as this test's
def test_close_ends_graders_and_guests(cluster: LocalCluster) -> None:
    others = processes(cluster)
    with RayPool("bwrap", limits=QUICK, address=cluster.address) as pool:
        pool.check()
        ended = own_processes(cluster, others)
        futures = [pool.submit(SLOW) for _ in range(6)]
    for future in futures:
        with pytest.raises(SandboxError):
            future.result(timeout=0)
    until(lambda: not alive(ended))
    with pytest.raises(SandboxError, match="the pool is closed"):
        pool.grade(request(HONEST))


DRIVER = """
import sys, time
from sandbox.ray_pool import RayPool
pool = RayPool("bwrap", address=sys.argv[1])
pool.check()
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.usefixtures("pool")  # at rest: what its nodes start meanwhile would count as this test's
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_guests_go_with_the_driver(cluster: LocalCluster, number: signal.Signals) -> None:
    others = processes(cluster)
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, cluster.address], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == "ready\n"
        ended = own_processes(cluster, others)
        driver.send_signal(number)
        until(lambda: not alive(ended))


LOCAL = """
import threading, warnings
warnings.simplefilter("error")
import ray
from sandbox.ray_pool import RayPool
from tests.sandbox.mean_requests import HONEST, request
with RayPool("bwrap", workers_per_node=1, address="local") as pool:
    print(*(verdict.outcome.value for verdict in pool.grade_all([request(HONEST)] * 3)))
    print(ray.is_initialized())
print(ray.is_initialized(), threading.active_count())
"""


def test_a_cluster_of_its_own() -> None:
    launcher_or_skip("bwrap")
    environment = os.environ | {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    command = [sys.executable, "-c", LOCAL]
    result = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert result.stdout.splitlines() == ["passed passed passed", "True", "False 1"], result.stderr


def test_the_command_line_grades_on_a_cluster(tmp_path: Path) -> None:
    launcher_or_skip("bwrap")
    responses, verdicts = tmp_path / "responses.jsonl", tmp_path / "verdicts.jsonl"
    sebench = [sys.executable, "-c", "from sebench_tasks.cli import app; app()"]
    oracle = ["oracle", "--problems", "multi_test", "--output", str(responses)]
    grade = ["grade", str(responses), "--problems", "multi_test", "--sandbox", "bwrap", "--output", str(verdicts)]
    environment = os.environ | {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    for arguments in (oracle, [*grade, "--ray", "local"]):
        command = [*sebench, *arguments]
        subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=300, check=True)
    graded = [json.loads(line) for line in verdicts.read_text().splitlines()]
    assert [verdict["id"] for verdict in graded] == [
        json.loads(line)["id"] for line in responses.read_text().splitlines()
    ]
    assert {verdict["verdict"] for verdict in graded} == {"passed"}


def test_a_pool_inside_a_task_of_ray(pool: RayPool) -> None:
    import ray

    def grade_there() -> list[str]:
        with RayPool("bwrap", limits=QUICK) as pool:
            return [verdict.outcome.value for verdict in pool.grade_all(BATCH)]

    found = ray.get(ray.remote(grade_there).remote())
    assert len(found) == len(BATCH)
    assert found[0] == "passed"


@pytest.mark.parametrize("address", ["127.0.0.1:1", "no-host.invalid:6379", "nonsense"])
def test_no_cluster_at_the_address(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    with RayPool(address=address) as pool, pytest.raises(SandboxUnavailable, match=f"no Ray cluster at '{address}': "):
        pool.check()


def test_ray_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with RayPool() as pool, pytest.raises(SandboxUnavailable, match="pip install"):
        pool.check()


@pytest.mark.parametrize("options", [{"workers_per_node": 0}, {"retries": -1}])
def test_nonsense_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        RayPool(**options)

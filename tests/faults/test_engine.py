"""The connection to the Docker engine lost: an error that says what to do, never a verdict, and nothing left."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.launchers import Launcher
from sandbox.launchers import docker as docker_launcher
from sandbox.pool import Pool
from sandbox.records import Verdict
from tests.faults.batch import REQUESTS, comparable, grade_with
from tests.faults.leftovers import containers_of
from tests.faults.relay import Relay

pytestmark = [
    pytest.mark.parametrize("launcher", ["docker"], indirect=True),
    # The SDK leaves a socket that could not connect to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]


@pytest.fixture
def relay(
    launcher: Launcher, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Relay]:
    """Between this process and the engine."""
    kind, _, engine = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").partition("://")
    if kind != "unix":
        pytest.skip(f"the engine is reached by {kind}; the relay needs a Unix socket")
    relay = Relay(tmp_path_factory.mktemp("relay") / "engine.sock", engine)
    relay.restore()
    monkeypatch.setenv("DOCKER_HOST", f"unix://{relay.path}")
    yield relay
    relay.close()


def test_lost_in_the_middle_of_a_batch(relay: Relay, undisturbed: list[Verdict]) -> None:
    verdicts: list[Verdict] = []
    with Pool("docker", workers=2) as pool, pytest.raises(SandboxError, match="start Docker"):
        grade_with(relay.cut, pool, verdicts)
    assert 10 <= len(verdicts) < len(REQUESTS)
    assert comparable(verdicts) == undisturbed[: len(verdicts)]
    relay.restore()
    with Pool("docker", workers=2) as pool:
        assert comparable(pool.grade_all(REQUESTS)) == undisturbed


def test_dropped_connections_cost_nothing(relay: Relay, undisturbed: list[Verdict]) -> None:
    verdicts: list[Verdict] = []
    with Pool("docker", workers=2) as pool:
        grade_with(relay.drop, pool, verdicts)
    assert comparable(verdicts) == undisturbed


def test_not_there_from_the_beginning(relay: Relay) -> None:
    relay.cut()
    with Pool("docker", workers=1) as pool:
        with pytest.raises(SandboxUnavailable, match="start Docker"):
            pool.check()
        with pytest.raises(SandboxUnavailable, match="start Docker"):
            pool.grade(REQUESTS[0])
        relay.restore()
        assert pool.grade(REQUESTS[0]).passed


@pytest.mark.parametrize("request_line", [b"/containers/create", b"/attach", b"/start"])
def test_lost_while_a_guest_starts(relay: Relay, request_line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container that never started is removed by the next pool, once no host can be about to start it."""
    relay.cut_after(request_line)
    with Pool("docker", workers=1) as pool, pytest.raises(SandboxError, match="docker"):
        pool.grade(REQUESTS[0])
    relay.restore()
    if request_line == b"/attach":
        assert len(containers_of({os.getpid()})) == 1
    with Pool("docker", workers=1) as pool:
        assert pool.grade(REQUESTS[0]).passed
    monkeypatch.setattr(docker_launcher, "_STALE_S", -10.0)
    with Pool("docker", workers=1) as pool:
        assert pool.grade(REQUESTS[0]).passed

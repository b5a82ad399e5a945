"""Fixtures that all tests share: which sandboxes can be tested here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from sandbox.errors import SandboxUnavailable
from sandbox.launchers import Launcher, make
from sandbox.pool import Pool
from sandbox.records import Limits

OFFICIAL = Path(__file__).resolve().parents[2] / "shared" / "official"
# Sandboxes whose absence is a failure and not a skip, such as "bwrap,docker" in CI.
REQUIRED = frozenset(filter(None, os.environ.get("SEBENCH_REQUIRED_SANDBOXES", "").split(",")))
# The same examples in every CI run: a gate must not depend on luck. Elsewhere they vary. No test is timed.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")
QUICK = Limits(wall_s=3.0, cpu_s=2.0)


def launcher_or_skip(name: str) -> Launcher:
    """The launcher of that name; where it cannot work the test is skipped, or fails if it is required."""
    launcher = make(name)
    try:
        launcher.check()
    except SandboxUnavailable as error:
        if name in REQUIRED:
            pytest.fail(f"required sandbox {name} is not available: {error}")
        pytest.skip(f"sandbox {name} is not available: {error}")
    return launcher


@pytest.fixture(scope="session", params=["bwrap", "docker", "podman", "process"])
def launcher(request: pytest.FixtureRequest) -> Launcher:
    """Every backend that works here."""
    return launcher_or_skip(request.param)


@pytest.fixture(scope="session")
def pool(launcher: Launcher) -> Iterator[Pool]:
    """One pool per backend, with short limits."""
    with Pool(launcher, workers=2, limits=QUICK) as pool:
        yield pool


@pytest.fixture(scope="session")
def official() -> Path:
    """The folder with part of the official data, where it lies beside the checkout."""
    if not OFFICIAL.is_dir():
        pytest.skip("the official data is not here (expected in ../shared/official)")
    return OFFICIAL

"""What every test of a fault checks beside its own matter: that nothing is left."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.launchers import Launcher
from sandbox.pool import Pool
from sandbox.records import Verdict
from tests.conftest import launcher_or_skip
from tests.faults import leftovers
from tests.faults.batch import REQUESTS, comparable
from tests.faults.leftovers import Leftovers


@pytest.fixture(autouse=True)
def leftovers_of_this_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Leftovers]:
    """Fails the test if a process, container, descriptor or temporary file of it is there after its end.

    Temporary files go to a folder of the test's own, also those of the programs that it starts.
    """
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with leftovers.adopting_orphans():
        watched = Leftovers(folder)
        yield watched
        assert watched.found(patience_s=60.0) == {}


@pytest.fixture(scope="session", params=["bwrap", "docker", "podman"])
def launcher(request: pytest.FixtureRequest) -> Launcher:
    """Every backend that isolates; for the host `process` is as `bwrap`, and stands only where a test names it."""
    return launcher_or_skip(request.param)


@pytest.fixture(scope="session")
def undisturbed(launcher: Launcher) -> list[Verdict]:
    """The verdicts on the batch without any fault."""
    with Pool(launcher, workers=2) as pool:
        return comparable(pool.grade_all(REQUESTS))

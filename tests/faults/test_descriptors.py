"""No free descriptors: an error of the machinery, or slower grading with the same verdicts; never a score."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from sandbox.errors import SandboxError
from sandbox.launchers import Launcher
from sandbox.pool import Pool
from sandbox.records import Verdict
from tests.faults.batch import REQUESTS, comparable
from tests.faults.descriptors import all_but
from tests.faults.hosts import ROOT

_SOME = 12
_GRADE_WITH = """
import json, os, resource, sys
from sandbox.errors import SandboxError
from sandbox.pool import Pool
from tests.faults.batch import REQUESTS
name, limit = sys.argv[1], int(sys.argv[2])
said = {"verdicts": [], "error": None}
with Pool(name, workers=1) as pool:
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    try:
        for verdict in pool.grade_all(REQUESTS[:int(sys.argv[3])]):
            said["verdicts"].append(verdict.outcome.value)
    except SandboxError as error:
        said["error"] = str(error)
said["open"] = len(os.listdir("/proc/self/fd"))
print(json.dumps(said))
"""


def graded_with(launcher: Launcher, limit: int) -> dict[str, object]:
    """What a process of its own that may open `limit` descriptors says of the first responses of the batch."""
    command = [sys.executable, "-c", _GRADE_WITH, launcher.name, str(limit), str(_SOME)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    return dict(json.loads(result.stdout))


@pytest.fixture(scope="module")
def plenty(launcher: Launcher) -> dict[str, object]:
    """What a process with descriptors enough says."""
    return graded_with(launcher, limit=256)


@pytest.mark.parametrize("limit", [6, 9, 12, 16, 24])
def test_few_descriptors_end_in_an_error_or_in_the_same_verdicts(
    launcher: Launcher, undisturbed: list[Verdict], plenty: dict[str, object], limit: int
) -> None:
    said = graded_with(launcher, limit)
    expected = [verdict.outcome.value for verdict in undisturbed[:_SOME]]
    assert (said["verdicts"], said["error"]) == (expected, None) or (said["verdicts"] == [] and said["error"])
    assert said["open"] == plenty["open"]


def test_the_limits_of_the_test_above_decide(launcher: Launcher, plenty: dict[str, object]) -> None:
    assert graded_with(launcher, limit=4)["error"]
    assert plenty["error"] is None


def test_guests_at_work_need_no_new_descriptors(launcher: Launcher, undisturbed: list[Verdict]) -> None:
    with Pool(launcher, workers=2) as pool:
        list(pool.grade_all(REQUESTS[:8]))
        with all_but(0):
            verdicts = comparable(pool.grade_all(REQUESTS))
    assert verdicts == undisturbed


def test_a_new_guest_without_descriptors_is_an_error(launcher: Launcher, undisturbed: list[Verdict]) -> None:
    with Pool(launcher, workers=1) as pool:
        assert pool.grade(REQUESTS[0]).passed
        (guest,) = pool._guests
        guest.close()
        with all_but(0), pytest.raises(SandboxError):
            pool.grade(REQUESTS[0])
        assert comparable(pool.grade_all(REQUESTS)) == undisturbed

"""What the clock of a run counts: the run, and not what the guest does before it."""

from __future__ import annotations

from typing import Any

from sandbox.connection import ProcessConnection
from sandbox.launchers.process import ProcessLauncher
from sandbox.pool import Pool
from sandbox.records import Library, Limits
from tests.sandbox.mean_requests import request

START_S = 2.0


class SlowToStart(ProcessLauncher):
    """A machine on which the cell with NumPy takes its time to start."""

    def start(self, limits: Limits) -> tuple[ProcessConnection, dict[str, list[str]], dict[str, Any]]:
        """Start a hub that will wait for its cell."""
        connection, commands, shared = super().start(limits)
        slow = ["/bin/sh", "-c", f'sleep {START_S}; exec "$@"', "sh", *commands["numpy"]]
        return connection, {**commands, "numpy": slow}, shared


def test_the_start_of_a_cell_is_not_the_solutions_time() -> None:
    code = "import numpy as np\ndef f(x): return np.mean(x)"
    with Pool(SlowToStart(), workers=1, limits=Limits(wall_s=START_S / 4)) as pool:
        verdict = pool.grade(request(code, library=Library.NUMPY))
    assert verdict.passed, verdict
    assert verdict.seconds < START_S

"""The `process` launcher: no isolation, only limits. For debugging and for machines that have nothing else."""

from __future__ import annotations

import logging
import sys
from typing import Any

from sandbox.connection import ProcessConnection
from sandbox.launchers.commands import PROJECT_ROOT, guest_environment, numpy_folder, python_arguments
from sandbox.records import Limits

_logger = logging.getLogger(__name__)


class ProcessLauncher:
    """Plain child processes of this user. Solutions can read and write whatever the user can."""

    name = "process"

    def check(self) -> None:
        """Always available."""
        _logger.warning("the sandbox `process` isolates nothing: code of the model runs with your rights")

    def start(self, limits: Limits) -> tuple[ProcessConnection, dict[str, list[str]], dict[str, Any]]:
        """Start a hub with plain cells."""
        root = str(PROJECT_ROOT)
        cell = "sandbox.guest.cell"
        solution = [sys.executable, *python_arguments(cell, [root])]
        kernel = [sys.executable, *python_arguments(cell, [root, str(numpy_folder())])]
        hub = [sys.executable, *python_arguments("sandbox.guest.hub", [root])]
        commands = {"solution": solution, "kernel": kernel, "numpy": kernel}
        return ProcessConnection(hub, guest_environment()), commands, {"uid": None, "filter": False, "threads": 0}

    @property
    def provenance(self) -> dict[str, str]:
        """Nothing beside the name."""
        return {}

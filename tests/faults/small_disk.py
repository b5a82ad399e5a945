"""A disk of a few hundred KiB that can be filled up: a tmpfs in a mount namespace that a sleeping process keeps."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.faults.hosts import ROOT


class SmallDisk:
    """Mounted at `folder` for programs started by `run`; everybody else reaches its files through `outside`."""

    def __init__(self, folder: Path, size_bytes: int) -> None:
        self.folder = folder
        mount = f"mount -t tmpfs -o size={size_bytes} none {folder} && echo mounted && exec sleep infinity"
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        self._keeper = subprocess.Popen(
            ["unshare", "--mount", *user, "sh", "-c", mount], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._keeper.stdout is not None
        assert self._keeper.stderr is not None
        if self._keeper.stdout.readline() != "mounted\n":
            reason = self._keeper.stderr.read().strip()
            self.close()
            pytest.skip(f"no file system can be mounted here: {reason}")
        self._enter = ["nsenter", f"--target={self._keeper.pid}", "--mount"]
        self._enter += ["--user", "--preserve-credentials"] if user else []

    def outside(self, name: str) -> Path:
        """Where a file of the disk is for programs that do not see the disk."""
        return Path(f"/proc/{self._keeper.pid}/root{self.folder}", name)

    def run(self, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a program that sees the disk."""
        variables: Mapping[str, str] = {**os.environ, **environment}
        command = [*self._enter, f"--wd={ROOT}", *command]
        return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300, check=False)

    def fill(self, leave_bytes: int = 0) -> None:
        """Fill the disk up but for `leave_bytes`."""
        free = shutil.disk_usage(self.outside("")).free
        self.outside("filling").write_bytes(b"x" * (free - leave_bytes))

    def free(self) -> None:
        """Remove what `fill` wrote."""
        self.outside("filling").unlink()

    def close(self) -> None:
        """Unmount: the file system goes with the last process that sees it."""
        self._keeper.kill()
        self._keeper.communicate()

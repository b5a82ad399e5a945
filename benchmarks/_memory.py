"""Memory of this process's guests, seen from the host."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sandbox.launchers.docker import HOST_LABEL, host_name
from sandbox.pool import Pool


def pss_bytes(pool: Pool) -> int | None:
    """Proportional share (PSS) of all processes of the pool's guests: pages that several share count once in all.

    It is None for podman, and where processes cannot be seen: in a container of an engine on another machine, or of
    another user.
    """
    try:
        return sum(_pss_bytes(pid) for hub in _hubs(pool.launcher.name) for pid in _family(hub)) or None
    except (FileNotFoundError, PermissionError):
        return None


def _hubs(sandbox: str) -> list[int]:
    """The first process of every guest: a child of this process, or the first one of a container."""
    if sandbox == "podman":
        return []
    return _in_containers() if sandbox == "docker" else _children(os.getpid())


def _in_containers() -> list[int]:
    import docker

    label = f"{HOST_LABEL}={host_name(os.getpid())}"
    with closing(docker.from_env()) as engine:
        return [int(found.attrs["State"]["Pid"]) for found in engine.containers.list(filters={"label": label})]


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text(encoding="ascii").split()]


def _family(pid: int) -> Iterator[int]:
    yield pid
    for child in _children(pid):
        yield from _family(child)


def _pss_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))

"""Finding what a host leaves on the machine. Follows only this process and the hosts that it started."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sandbox.launchers.docker import HOST_LABEL, host_name
from tests.guests import alive, descendants

_CHILD_SUBREAPER = 36
_ENGINE = dict(os.environ)  # before any test changes it


class Leftovers:
    """What there is more of than when this object was made: processes, containers, descriptors, temporary files."""

    def __init__(self, folder: Path) -> None:
        self.hosts = {os.getpid()}
        self._folder = folder
        self._before = self._present()

    def found(self, patience_s: float) -> dict[str, set[Any]]:
        """What is left after at most `patience_s`; empty if all is gone."""
        deadline = time.monotonic() + patience_s
        while (left := self._left()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return left

    def _left(self) -> dict[str, set[Any]]:
        gc.collect()
        _collect_adopted()
        now = self._present()
        return {kind: now[kind] - self._before[kind] for kind in now if now[kind] - self._before[kind]}

    def _present(self) -> dict[str, set[Any]]:
        return {
            "processes": alive(descendants(os.getpid())),
            "containers": containers_of(self.hosts),
            "descriptors": _descriptors(),
            "temporary files": set(self._folder.iterdir()),
        }


def containers_of(hosts: set[int]) -> set[str]:
    """Containers of these processes of this machine, in whatever state; ids."""
    docker = __import__("docker")
    try:
        engine = docker.from_env(environment=_ENGINE)
    except (docker.errors.DockerException, OSError):
        return set()
    with closing(engine):
        try:
            found = engine.containers.list(all=True, sparse=True, filters={"label": HOST_LABEL})
        except (docker.errors.DockerException, OSError):
            return set()
        names = {host_name(host) for host in hosts}
        return {container.id for container in found if container.attrs["Labels"].get(HOST_LABEL) in names}


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """Processes that lose their parent become children of this one, where they can be found."""
    libc = ctypes.CDLL(None)
    libc.prctl(_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        libc.prctl(_CHILD_SUBREAPER, 0)


def _collect_adopted() -> None:
    """Zombies that nobody waits for; whoever started a process by hand has waited for it by now."""
    for pid in descendants(os.getpid()):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _descriptors() -> set[str]:
    """Open descriptors, as number and target; the one that lists them is closed again."""
    found = set()
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found.add(f"{path.name} {path.readlink()}")
    return found

"""The guests of a pool as processes of this machine, wherever a launcher put them."""

from __future__ import annotations

from pathlib import Path

from sandbox.connection import ProcessConnection
from sandbox.guests import Guest
from sandbox.launchers.docker import DockerConnection
from sandbox.pool import Pool


def guest_processes(pool: Pool) -> set[int]:
    """The hubs of a pool and all their descendants."""
    return {pid for guest in list(pool._guests) for hub in [hub_process(guest)] for pid in (hub, *descendants(hub))}


def hub_process(guest: Guest) -> int:
    """The process of a guest's hub."""
    connection = guest._connection
    if isinstance(connection, DockerConnection):
        connection._container.reload()
        return int(connection._container.attrs["State"]["Pid"])
    assert isinstance(connection, ProcessConnection)
    return connection._process.pid


def descendants(pid: int) -> set[int]:
    """Children, their children and so on; not `pid` itself."""
    found: set[int] = set()
    pending = [pid]
    while pending:
        children = _children(pending.pop()) - found
        found |= children
        pending += children
    return found


def alive(pids: set[int]) -> set[int]:
    """Those that still run; one that only waits to be collected has ended."""
    return {pid for pid in pids if _state(pid) not in ("", "Z", "X")}


def _children(pid: int) -> set[int]:
    """Children of all threads of a process: the kernel notes which thread made a child."""
    found: set[int] = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found |= set(map(int, path.read_text(encoding="ascii").split()))
        except OSError:  # it ended meanwhile
            continue
    return found


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return ""

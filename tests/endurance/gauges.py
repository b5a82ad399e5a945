"""What a pool holds on to: memory, descriptors, processes and files of the host's process and of its guests.

Read between batches, when no solution runs, so that what is there is there to stay.
"""

from __future__ import annotations

import gc
import os
import re
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from sandbox.pool import Pool
from tests.guests import guest_processes

_PROC = Path("/proc")
_SHARED = Path("/dev/shm")
_PSS = re.compile(r"^Pss:\s+(\d+) kB$", re.MULTILINE)
# File systems of the kernel: nobody keeps files there.
_NO_FILES = frozenset(("proc", "sysfs", "cgroup", "cgroup2", "devpts", "mqueue"))
_GUEST_ROLES = ("hubs", "zygotes", "kernels")


def read(pool: Pool, folder: Path) -> dict[str, float]:
    """All gauges; memory in MiB. `folder` is where the host's process makes its temporary files."""
    gc.collect()
    processes = {pid: role for pid in guest_processes(pool) if (role := _role(pid))}
    memory = dict.fromkeys((f"memory of {role}" for role in _GUEST_ROLES), 0.0)
    for pid, role in processes.items():
        memory[f"memory of {role}"] += _pss_mib(pid)
    return {
        "memory of host": _pss_mib(os.getpid()),
        **memory,
        "descriptors of host": _count(_PROC / "self/fd"),
        "threads of host": threading.active_count(),
        "temporary files": sum(1 for _ in folder.rglob("*")),
        "temporary bytes": _open_bytes(folder),
        "shared memory": _shared_by_guests(),
        "descriptors of guests": sum(_count(_PROC / f"{pid}/fd") for pid in processes),
        "processes of guests": sum(role != "kernels" for role in processes.values()),
        "kernel processes": sum(role == "kernels" for role in processes.values()),
        "files in guests": sum(_writable_files(pid) for pid in _one_of_each_view(processes)),
    }


def _role(pid: int) -> str:
    """What a process of a guest is; empty for one that has just gone.

    A zygote's children have its command line: a cell whose parent is a cell too serves a run.
    """
    command = _command(pid)
    if "sandbox.guest.cell" not in command or _is_bwrap(command):
        return "hubs" if command else ""
    above = _command(_parent(pid))
    return "kernels" if "sandbox.guest.cell" in above and not _is_bwrap(above) else "zygotes"


def _command(pid: int) -> str:
    try:
        text = (_PROC / f"{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    program, *rest = text.split("\0")
    return " ".join((Path(program).name, *rest))


def _is_bwrap(command: str) -> bool:
    return command.startswith("bwrap")


def _parent(pid: int) -> int:
    return int((_PROC / f"{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[1])


def _pss_mib(pid: int) -> float:
    """Proportional set size: a page shared by n processes counts 1/n in each."""
    try:
        found = _PSS.search((_PROC / f"{pid}/smaps_rollup").read_text(encoding="ascii"))
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _count(folder: Path) -> int:
    try:
        return sum(1 for _ in folder.iterdir())
    except OSError:
        return 0


def _open_bytes(folder: Path) -> int:
    """Bytes in temporary files that are open, and have no name any more."""
    size = 0
    for entry in (_PROC / "self/fd").iterdir():
        try:
            size += entry.stat().st_size if str(entry.readlink()).startswith(f"{folder}/") else 0
        except OSError:  # the descriptor of this very listing
            continue
    return size


def _shared_by_guests() -> int:
    """Entries of the host's shared memory that a guest can have made: solutions are not root where the host is."""
    if not _SHARED.is_dir():
        return 0
    root = os.geteuid() == 0
    return sum((entry.lstat().st_uid != 0) if root else (entry.owner() != "root") for entry in _SHARED.iterdir())


def _one_of_each_view(pids: Iterable[int]) -> list[int]:
    """One process for each set of mounts, ours left aside: bwrap's hub has it, and no solution runs there."""
    views = {view: pid for pid in pids if (view := _mounts(pid)) not in ("", _mounts(os.getpid()))}
    return list(views.values())


def _mounts(pid: int) -> str:
    try:
        return str((_PROC / f"{pid}/ns/mnt").readlink())
    except OSError:
        return ""


def _writable_files(pid: int) -> int:
    """Regular files in whatever a process of a guest could write to."""
    return sum(_files_on(_PROC / f"{pid}/root{place}") for place in _writable_places(pid))


def _writable_places(pid: int) -> Iterator[str]:
    """Mount points that are not read-only. Source: /proc/PID/mountinfo."""
    try:
        lines = (_PROC / f"{pid}/mountinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        mount, _, system = line.partition(" - ")
        place, options = mount.split()[4:6]
        kind, _, super_options = system.split(" ", 2)
        writable = "rw" in options.split(",") and "rw" in super_options.split(",")
        if writable and kind not in _NO_FILES:
            yield place


def _files_on(folder: Path) -> int:
    """Regular files of one file system."""
    try:
        device = folder.stat().st_dev
    except OSError:
        return 0
    found = 0
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if Path(path, name).lstat().st_dev == device]
        found += sum(Path(path, name).is_file() for name in files if not Path(path, name).is_symlink())
    return found

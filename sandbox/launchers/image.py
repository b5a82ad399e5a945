"""The guest's image for docker and podman: its build context, its name, its command lines."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandbox.launchers.commands import PROJECT_ROOT, numpy_folder, python_arguments
from sandbox.view import (
    GUEST_ROOT,
    HUB_FILES,
    KERNEL_FILES,
    NUMPY_FILES,
    NUMPY_FOLDER,
    NUMPY_ROOT,
    SOLUTION_ROOT,
)

REPOSITORY = "sebench-sandbox"
DEFAULT_BASE = f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"
CAPABILITIES = ("SETUID", "SETGID", "KILL", "SYS_CHROOT")
_OWN_FILES = tuple(sorted({*NUMPY_FILES, *KERNEL_FILES, *HUB_FILES}))
_BUILD_FILES = ("sandbox/view.py", "sandbox/image/Dockerfile")


def tag() -> str:
    """Name of the image that belongs to this version of the project and of NumPy."""
    digest = hashlib.sha256()
    for name in (*_OWN_FILES, *_BUILD_FILES):
        digest.update((PROJECT_ROOT / name).read_bytes())
    digest.update((numpy_folder() / "numpy" / "version.py").read_bytes())
    digest.update(repr(sys.version_info[:2]).encode())
    return f"{REPOSITORY}:{digest.hexdigest()[:12]}"


@contextmanager
def build_context() -> Iterator[Path]:
    """A folder with exactly what the image is built from."""
    with tempfile.TemporaryDirectory(prefix="sebench-image-") as name:
        folder = Path(name)
        for file in _OWN_FILES:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT_ROOT / file, folder / file)
        shutil.copy2(PROJECT_ROOT / "sandbox/view.py", folder / "view.py")
        shutil.copy2(PROJECT_ROOT / "sandbox/image/Dockerfile", folder / "Dockerfile")
        for package in ("numpy", "numpy.libs"):
            if (numpy_folder() / package).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "tests", "*.pyi")
                shutil.copytree(numpy_folder() / package, folder / NUMPY_FOLDER / package, ignore=ignored)
        yield folder


def hub_arguments() -> list[str]:
    """Arguments of the image's entry point that run the hub."""
    return python_arguments("sandbox.guest.hub", [GUEST_ROOT])


def cell_commands() -> dict[str, list[str]]:
    """The command of each cell inside a container: the solution's cells change their root folder first."""
    cell = "sandbox.guest.cell"
    with_numpy = [GUEST_ROOT, f"/{NUMPY_FOLDER}"]
    return {
        "kernel": ["/python", *python_arguments(cell, with_numpy)],
        "solution": _below(SOLUTION_ROOT, python_arguments(cell, [GUEST_ROOT])),
        "numpy": _below(NUMPY_ROOT, python_arguments(cell, with_numpy)),
    }


def _below(root: str, arguments: list[str]) -> list[str]:
    change = f"import os, sys; os.chroot({root!r}); os.chdir('/'); os.execv('/python', ['/python', *sys.argv[1:]])"
    return ["/python", "-S", "-s", "-P", "-B", "-c", change, *arguments]


def container_memory_bytes(solution: int, kernel: int) -> int:
    """Memory of the whole container: both limits, and room for the hub and the zygotes."""
    return solution + 2 * kernel + (256 << 20)


def missing(program: str) -> str:
    """What to say when the image is not there."""
    return f"{program} answers, but the image {tag()} is not built: run `sebench image build --sandbox {program}`"


def user_id() -> int:
    """A user id for the solutions of one container; the next is its kernel's. Limits per user must not add up."""
    return 200_000 + int.from_bytes(os.urandom(4), "big") % 500_000_000 * 2

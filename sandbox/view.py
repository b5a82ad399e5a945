"""What a cell can see: an explicit list of files, and nothing beside it.

The list holds the interpreter, its standard library without site-packages, the shared libraries that it maps, and the
project's few guest files. The kernel's cell sees NumPy too. As a program this module lays out an image from a folder
with the project's guest files and NumPy:

    python view.py image BUILD DESTINATION
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

GUEST_ROOT = "/cell"
NUMPY_FOLDER = "numpy"
SOLUTION_ROOT = "/cells/solution"
NUMPY_ROOT = "/cells/numpy"
_SHARED = (
    "sandbox/guest/__init__.py",
    "sandbox/guest/cell.py",
    "sandbox/guest/frames.py",
    "sandbox/guest/seccomp.py",
    "sandbox/guest/zygote.py",
    "zwc/__init__.py",
    "zwc/_array.py",
    "zwc/_client.py",
    "zwc/_wire.py",
    "zwc/rfx.py",
)
SOLUTION_FILES = (*_SHARED, "sandbox/guest/solution_cell.py")
NUMPY_FILES = (*SOLUTION_FILES, "sandbox/guest/numpy_cell.py")
KERNEL_FILES = (
    *_SHARED,
    "sandbox/guest/kernel_cell.py",
    "sandbox/guest/witness.py",
    "zwc/_functions.py",
    "zwc/_messages.py",
    "zwc/_signature.py",
    "zwc/kernel.py",
)
# The hub runs beside the cells: on the host, or as the first process of a container.
HUB_FILES = tuple(f"sandbox/guest/{name}.py" for name in ("__init__", "hub", "feed", "frames", "waiting"))
MASKED = ("site-packages", "dist-packages", "__pycache__", "test", "idlelib", "turtledemo", "ensurepip")

_PROBE = """
import glob, importlib, os, sys, sysconfig
folder = next((p for p in sys.path if p.endswith("lib-dynload")), None)
for path in sorted(glob.glob(os.path.join(folder or "/nonexistent", "*.so"))):
    name = os.path.basename(path).split(".")[0]
    if not name.startswith(("_test", "xx", "_xx", "_ctypes_test", "_tkinter", "_curses", "readline", "nis")):
        try:
            importlib.import_module(name)
        except ImportError:
            pass
if len(sys.argv) > 1:
    sys.path.append(sys.argv[1])
    import numpy, numpy.linalg
print(os.path.realpath(sys.executable))
print(os.path.dirname(os.__file__))
print(folder or "")
libraries = {line.split(None, 5)[5].strip() for line in open("/proc/self/maps") if len(line.split(None, 5)) == 6}
print(*sorted(path for path in libraries if ".so" in path and os.path.exists(path)), sep="\\n")
"""


class View:
    """Files of one cell beside the guest's own: interpreter, standard library folder, shared libraries."""

    def __init__(self, numpy_folder: Path | None = None) -> None:
        arguments = [str(numpy_folder)] if numpy_folder else []
        command = [base_python(), "-S", "-s", "-c", _PROBE, *arguments]
        output = subprocess.run(command, capture_output=True, text=True, check=True, env={"LANG": "C.UTF-8"})
        self.interpreter, self.library, _, *mapped = output.stdout.splitlines()
        inside = (self.library + os.sep, *([f"{numpy_folder}{os.sep}"] if numpy_folder else []))
        self.shared_libraries = [path for path in mapped if not path.startswith(inside)]
        self.loaders = [path for path in _loaders() if Path(path).exists()]

    @property
    def files(self) -> list[tuple[str, str]]:
        """(source, path in the view) of every single file."""
        named = [(os.path.realpath(path), path) for path in (*_sonames(self.shared_libraries), *self.loaders)]
        return [(self.interpreter, self.interpreter), *named]


def base_python() -> str:
    """The interpreter outside any virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def _loaders() -> list[str]:
    """What starts a program and finds its libraries, wherever it is mapped from."""
    return ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/etc/ld.so.cache"]


def _sonames(paths: list[str]) -> list[str]:
    """Mapped paths are resolved; programs ask for the links beside them (libm.so.6 for libm-2.31.so)."""
    names = []
    for path in paths:
        beside = Path(path).parent.iterdir()
        links = [str(file) for file in beside if file.is_symlink() and str(file.resolve()) == path]
        names += [path, *links]
    return names


def copy(view: View, guest_files: tuple[str, ...], project: Path, destination: Path) -> None:
    """Copy a view with the guest's own files below `destination`, which becomes a root folder."""
    for source, path in [*view.files, *((str(project / name), f"{GUEST_ROOT}/{name}") for name in guest_files)]:
        target = destination / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    library = destination / view.library.lstrip("/")
    shutil.copytree(view.library, library, ignore=shutil.ignore_patterns(*MASKED), dirs_exist_ok=True)
    (destination / "python").symlink_to(view.interpreter)


def image(build: Path, destination: Path) -> None:
    """Lay out an image: hub and kernel with NumPy as its root, the solution's view in a folder of its own.

    `build` holds the project's guest files and the folders `numpy` and `numpy.libs`.
    """
    copy(View(build / NUMPY_FOLDER), (*KERNEL_FILES, *HUB_FILES), build, destination)
    shutil.copytree(build / NUMPY_FOLDER, destination / NUMPY_FOLDER, ignore=shutil.ignore_patterns("__pycache__"))
    copy(View(), SOLUTION_FILES, build, destination / SOLUTION_ROOT.lstrip("/"))
    copy(View(build / NUMPY_FOLDER), NUMPY_FILES, build, destination / NUMPY_ROOT.lstrip("/"))
    shutil.copytree(destination / NUMPY_FOLDER, destination / NUMPY_ROOT.lstrip("/") / NUMPY_FOLDER)


if __name__ == "__main__":
    image(Path(sys.argv[2]), Path(sys.argv[3]))

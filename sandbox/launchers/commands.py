"""Command lines and environment that all launchers share."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from sandbox.errors import SandboxUnavailable

PROJECT_ROOT = Path(__file__).resolve().parents[2]
# No user or site folder, no current folder in the path. -I would ignore PYTHONHASHSEED.
PYTHON_OPTIONS = ("-S", "-s", "-P", "-B")


def python_arguments(module: str, folders: list[str]) -> list[str]:
    """Interpreter arguments that run `module.main()` with `folders` in front of its path."""
    code = f"import sys; sys.path[:0] = {folders!r}; from {module} import main; main()"
    return [*PYTHON_OPTIONS, "-c", code]


def guest_environment() -> dict[str, str]:
    """The whole environment of a guest: one thread for linear algebra, fixed hashes, UTF-8."""
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8:backslashreplace",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    passed_on = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
    return environment | {name: os.environ[name] for name in passed_on if name in os.environ}


def numpy_folder() -> Path:
    """The folder that holds the installed `numpy` package, found without importing it."""
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        raise SandboxUnavailable("NumPy is not installed in this environment: `pip install numpy`")
    return Path(os.path.realpath(spec.origin)).parents[1]

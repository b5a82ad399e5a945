"""Runs one program in NumPy form: as a module its cases, as a script the program on standard input.

As a script it prints one line per case, as a worker that reads answers from printed text does.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

_NAMES = {"nan": float("nan"), "inf": float("inf")}


def run(program: dict[str, Any]) -> list[str]:
    """The printed result of each case; an error is a result too."""
    namespace: dict[str, Any] = {}
    try:
        exec(compile(program["code"], "solution.py", "exec"), namespace)
        entry_point = namespace[program["entry_point"]]
    except Exception as error:
        return [f"{type(error).__name__}: {error}"] * len(program["cases"])
    return [_call(entry_point, case) for case in program["cases"]]


def _call(entry_point: Any, case: str) -> str:
    try:
        return repr(entry_point(**eval(case, dict(_NAMES))))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def answers(text: str) -> int:
    """How many cases a script's output answers."""
    return text.count("\n")


def command() -> list[str]:
    """The command of the script in a new interpreter, without the start-up files of an environment's packages."""
    return [sys.executable, "-S", "-s", "-B", "-W", "ignore", __file__]


def environment() -> dict[str, str]:
    """The environment of that command: it finds NumPy, which computes in one thread."""
    spec = find_spec("numpy")
    assert spec is not None
    assert spec.origin is not None
    return {**os.environ, "PYTHONPATH": str(Path(spec.origin).parents[1]), "OPENBLAS_NUM_THREADS": "1"}


if __name__ == "__main__":
    np.seterr(all="ignore")
    for line in run(json.loads(sys.stdin.read())):
        print(line.replace("\n", " "))

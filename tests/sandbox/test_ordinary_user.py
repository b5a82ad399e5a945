"""bubblewrap without root: a user without any rights grades with the system's Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import launcher_or_skip

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
GRADE = """
from sandbox.pool import Pool
from tests.sandbox.mean_requests import HONEST, request
with Pool("bwrap", workers=2) as pool:
    pool.check()
    ways_out = ("import os\\nos.fork()", "open('/x', 'w')", "import socket\\nsocket.socket()", "import numpy as np")
    verdicts = [pool.grade(request(code)).outcome for code in (HONEST, *(f"import zwc\\n{way}" for way in ways_out))]
print(*verdicts)
"""


def test_an_ordinary_user_needs_no_rights(tmp_path: Path) -> None:
    launcher_or_skip("bwrap")
    system = shutil.which("python3", path="/usr/bin")
    if os.geteuid() != 0 or shutil.which("setpriv") is None or system is None:
        pytest.skip("needs root, setpriv and a Python of the system")
    code_path = f"{ROOT}:{os.path.dirname(os.path.dirname(pytest.__file__))}"  # noqa: PTH120
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", system, "-B"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/", "PYTHONPATH": code_path}
    same = f"import sys, numpy, sandbox; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    if subprocess.run([*become, "-c", same], env=environment, capture_output=True, check=False).returncode:
        pytest.skip("nobody cannot read this checkout, or the system's Python is of another version")
    result = subprocess.run(
        [*become, "-c", GRADE], env=environment, cwd="/", capture_output=True, text=True, timeout=120, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["passed", "runtime_error", "runtime_error", "runtime_error", "forbidden_import"]

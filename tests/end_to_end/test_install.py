"""A regular install of the wheel: the plain `lm_eval` command finds tasks and oracle, and uninstalling leaves nothing.

The test's virtual environment gets a copy of lm-eval of its own and borrows everything else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib import util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytest.importorskip("lm_eval", reason="lm-eval is not installed")
pytest.importorskip("hatchling", reason="hatchling is not installed")


def run(*command: str | Path, folder: Path) -> str:
    """Output of a command that must succeed, started in `folder` without this checkout on its path."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    result = subprocess.run(
        [str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir")
    run(sys.executable, "-m", "pip", "wheel", *options, folder, ROOT, folder=folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel installed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    found = util.find_spec("lm_eval")
    assert found is not None
    assert found.origin is not None
    ignored = shutil.ignore_patterns("__pycache__", "sebench")
    shutil.copytree(Path(found.origin).parent, packages / "lm_eval", ignore=ignored)
    (packages / "borrowed.pth").write_text(f"{Path(found.origin).parents[1]}\n", encoding="utf-8")
    run(folder / "bin" / "python", "-m", "pip", "install", "--no-deps", "--no-index", wheel, folder=folder)
    return folder


def test_the_wheel_holds_what_it_needs_and_no_more(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "lm_eval/tasks/sebench/sebench_single.yaml",
        "sebench_tasks_lm_eval.pth",
        "sebench_tasks/data/problems.jsonl",
        "sandbox/image/Dockerfile",
        "zwc/catalog/statistics.toml",
        "zwc/data/default_vocabulary.json",
        "zwc/py.typed",
    ):
        assert needed in names
    assert not [name for name in names if name.startswith(("tests/", "docs/", "benchmarks/"))]


def test_the_plain_command_works_from_any_folder(environment: Path, tmp_path: Path) -> None:
    program = "from lm_eval.__main__ import cli_evaluate; cli_evaluate()"
    launcher = environment / "bin" / "lm_eval"
    launcher.write_text(f"#!{environment}/bin/python\n{program}\n", encoding="utf-8")
    launcher.chmod(0o755)
    output = run(launcher, "--model", "sebench_oracle", "--tasks", "sebench", "--limit", "3", folder=tmp_path)
    assert "sebench_multi" in output
    where = run(environment / "bin" / "sebench", "tasks-path", folder=tmp_path)
    assert str(environment) in where


def test_uninstalling_leaves_nothing(environment: Path) -> None:
    python = environment / "bin" / "python"
    run(python, "-m", "pip", "uninstall", "--yes", "sebench-tasks", folder=environment)
    left = [path for path in environment.rglob("*sebench*") if path.is_file()]
    assert left == []

"""A full disk: a clear error, nothing half-written, nothing lost, and the same command completes afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.launchers import Launcher
from sebench_tasks import oracle, problems
from sebench_tasks.prompts import Condition
from tests.faults.batch import EXPECTED
from tests.faults.small_disk import SmallDisk
from zwc.vocabulary import Vocabulary

SEBENCH = [sys.executable, "-c", "from sebench_tasks.cli import app; app()"]
COUNT = 40


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """256 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    disk = SmallDisk(folder, 256 << 10)
    yield disk
    disk.close()


@pytest.fixture
def command(tmp_path: Path, disk: SmallDisk) -> list[str]:
    """Grades 40 right responses into the small disk, where verdicts of an earlier run lie."""
    problem = problems.load("single_test")[0]
    text = oracle.answer(problem, Vocabulary.default(), Condition.CLOSED)
    responses = tmp_path / "responses.jsonl"
    lines = [json.dumps({"id": problem.id, "sample": sample, "response": text}) for sample in range(COUNT)]
    responses.write_text("\n".join(lines) + "\n", encoding="utf-8")
    disk.outside("verdicts.jsonl").write_text("of an earlier run\n")
    disk.outside("verdicts.jsonl.run.json").write_text("of an earlier run\n")
    options = ["--problems", "single_test", "--sandbox", "process", "--output", str(disk.folder / "verdicts.jsonl")]
    return [*SEBENCH, "grade", str(responses), *options]


@pytest.mark.parametrize(
    ("free_kib", "file"),
    [
        (0, "verdicts.jsonl.partial"),
        (4, "verdicts.jsonl.partial"),
        (16, "verdicts.jsonl"),
        (24, "verdicts.jsonl.run.json"),
    ],
    ids=["at the beginning", "while grading", "at the end", "at the very end"],
)
def test_verdicts_on_a_full_disk(disk: SmallDisk, command: list[str], free_kib: int, file: str) -> None:
    disk.fill(free_kib << 10)
    failed = disk.run(command)
    assert failed.returncode == 3, failed.stderr
    assert f"No space left on device: '{disk.folder}/{file}'" in failed.stderr.replace("\n", "")
    assert ("the same command goes on after them" in failed.stderr) == (free_kib > 0)
    assert "Traceback" not in failed.stderr
    assert disk.outside("verdicts.jsonl").read_text() == "of an earlier run\n"
    assert disk.outside("verdicts.jsonl.run.json").read_text() == "of an earlier run\n"
    left = {path.name for path in disk.outside("").iterdir()}
    assert left <= {"verdicts.jsonl", "verdicts.jsonl.run.json", "verdicts.jsonl.partial", "filling"}
    disk.free()
    done = disk.run(command)
    assert done.returncode == 0, done.stderr
    assert ("Going on after" in done.stderr) == (free_kib > 0)
    verdicts = [json.loads(line) for line in disk.outside("verdicts.jsonl").read_text().splitlines()]
    assert [verdict["sample"] for verdict in verdicts if verdict["passed"]] == list(range(COUNT))
    assert {path.name for path in disk.outside("").iterdir()} == {"verdicts.jsonl", "verdicts.jsonl.run.json"}


def test_guests_on_a_full_disk(launcher: Launcher, disk: SmallDisk) -> None:
    """The disk for temporary files and the current folder are one of the kind."""
    disk.fill()
    command = [sys.executable, "-m", "tests.faults.hosts", launcher.name, "default", "1"]
    result = disk.run(command, TMPDIR=str(disk.folder))
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout.splitlines()[-1]) == [outcome.value for outcome in EXPECTED]


@pytest.mark.parametrize("launcher", ["bwrap", "process"], indirect=True)
def test_no_place_for_temporary_files_is_a_fault_of_the_machinery(launcher: Launcher, command: list[str]) -> None:
    """Guests that are child processes have a temporary file for what they complain of."""
    nowhere = ["import tempfile; tempfile.tempdir = '/nonexistent'"]
    command[1:3] = ["-c", "; ".join([*nowhere, command[2]])]
    command[command.index("process")] = launcher.name
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 3, result.stderr
    assert "disk space for temporary files" in result.stderr.replace("\n", " ")


_WRITE = """
import sys
from pathlib import Path
from harness_adapters import spool
responses = [spool.Response("id", number, "x" * 1000) for number in range(100)]
try:
    print(spool.write(Path(sys.argv[1]), "run", responses))
except OSError as error:
    sys.exit(str(error))
"""


def test_a_spool_is_whole_or_not_there(disk: SmallDisk) -> None:
    disk.fill(20 << 10)
    command = [sys.executable, "-c", _WRITE, str(disk.folder / "spool")]
    failed = disk.run(command)
    assert (failed.returncode, failed.stderr.strip()) == (1, "[Errno 28] No space left on device")
    assert list(disk.outside("spool").iterdir()) == []
    disk.free()
    done = disk.run(command)
    assert done.returncode == 0, done.stderr
    (path,) = disk.outside("spool").iterdir()
    assert len(path.read_text().splitlines()) == 100

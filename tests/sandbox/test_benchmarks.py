"""Every benchmark runs, on the smallest sample, and tells its figures. Nothing is timed here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def figures(program: str, file: Path, *options: str) -> dict[str, list[dict[str, Any]]]:
    """What a benchmark measures, by table; its printed tables have the same titles."""
    command = [sys.executable, str(_FOLDER / f"{program}.py"), "--sandbox", "process", "--rounds", "1", "--limit", "2"]
    done = subprocess.run([*command, *options, "--json", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["setting"]["sandbox"] == "process"
    assert told["figures"].keys() <= set(done.stdout.splitlines())
    return dict(told["figures"])


@pytest.mark.parametrize("program", ["bench_calls", "bench_dependence", "bench_latency", "bench_scaling"])
def test_a_benchmark_measures_something_in_each_row(program: str, tmp_path: Path) -> None:
    tables = figures(program, tmp_path / "figures.json")

    assert tables
    for rows in tables.values():
        assert all(any(isinstance(value, float) and value > 0 for value in row.values()) for row in rows)


def test_solutions_answer_every_case_in_each_way_of_running_them(tmp_path: Path) -> None:
    tables = figures("bench_throughput", tmp_path / "figures.json", "--against", "http,python,fork")

    assert [len(rows) for rows in tables.values()] == [4, 4]
    assert [row[""] for rows in tables.values() for row in rows if row["answered"] != 1] == []


def test_no_benchmark_is_left_out() -> None:
    tested = {"bench_calls", "bench_dependence", "bench_latency", "bench_scaling", "bench_throughput"}
    assert {path.stem for path in _FOLDER.glob("bench_*.py")} == tested

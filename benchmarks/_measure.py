"""What the benchmarks share: the work, the clock, and the way that figures are told."""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sandbox.pool import Pool
from sandbox.records import GradingRequest
from sebench_tasks import oracle, problems
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition
from zwc.vocabulary import Vocabulary

OFFICIAL = Path(__file__).resolve().parents[2] / "shared" / "official"
PROCESSORS = len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Work:
    """Problems of one source, with the vocabulary that their answers are written in."""

    name: str
    problems: list[Problem]
    vocabulary: Vocabulary

    def answers(self) -> list[str]:
        """The oracle's answer to each problem."""
        return [oracle.answer(problem, self.vocabulary, Condition.CLOSED) for problem in self.problems]

    def entry_points(self) -> list[str]:
        """The name of the function that each problem asks for."""
        return [problem.entry_point for problem in self.problems]

    def requests(self, answers: Sequence[str]) -> list[GradingRequest]:
        """A request for each problem, answered by the text at the same place."""
        pairs = zip(self.problems, answers, strict=True)
        return [grading_request(problem, answer, Condition.CLOSED) for problem, answer in pairs]


def load(limit: int | None = None) -> Work:
    """The first `limit` problems of the part of the official data beside the checkout, else of the project's own."""
    if OFFICIAL.is_dir():
        source = f"official:{OFFICIAL / 'single_test_part.jsonl'}"
        name, vocabulary = "official part", Vocabulary.from_official(OFFICIAL / "api_doc.jsonl")
    else:
        source, name, vocabulary = "all", "own problems", Vocabulary.default()
    return Work(name, problems.load(source)[:limit], vocabulary)


def arguments(description: str, *, rounds: int) -> argparse.ArgumentParser:
    """A parser with the options that every benchmark takes."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sandbox", default="auto", help="auto, docker, podman, bwrap or process")
    parser.add_argument("--workers", type=int, default=PROCESSORS, help="default: one per processor")
    parser.add_argument("--rounds", type=int, default=rounds, help=f"default: {rounds}")
    parser.add_argument("--limit", type=int, help="only the first problems")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which that share of `values` lies, without interpolation."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def setting(pool: Pool) -> dict[str, str]:
    """What the figures depend on, beside the work: sandbox, workers, machine, versions."""
    packages = {name: _version(name) for name in ("sebench-tasks", "numpy", "lm-eval", "inspect-ai")}
    return {
        **pool.provenance,
        "workers": str(pool.workers),
        "processors": str(PROCESSORS),
        "load_at_start": f"{os.getloadavg()[0]:.1f}",
        "python": platform.python_version(),
        "kernel": platform.release(),
        **{name: found for name, found in packages.items() if found},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@dataclass
class Report:
    """Figures as they come: printed in aligned lines at once, kept for the file."""

    sample: str
    setting: Mapping[str, str]
    figures: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        print(self.sample)
        print("; ".join(f"{name} {value}" for name, value in self.setting.items()))

    def table(self, title: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Print rows that have the same columns, and keep them under `title`."""
        self.figures[title] = [dict(row) for row in rows]
        texts = [[_text(value) for value in row.values()] for row in rows]
        columns = list(zip(list(rows[0]), *texts, strict=True))
        widths = [max(map(len, column)) for column in columns]
        print(f"\n{title}")
        for line in zip(*columns, strict=True):
            first, *others = [*zip(line, widths, strict=True)]
            cells = [first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]
            print("  " + "  ".join(cells).rstrip(), flush=True)

    def absent(self, what: str, reason: str) -> None:
        """Say, and keep, that something could not be measured."""
        self.figures.setdefault("not measured", []).append({"": what, "reason": reason})
        print(f"\nnot measured: {what}: {reason}")

    def write(self, path: Path | None) -> None:
        """Write everything as JSON, if a path is given."""
        if path is not None:
            content = {"sample": self.sample, "setting": dict(self.setting), "figures": self.figures}
            path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 10 else f"{value:.1f}"
    return str(value)

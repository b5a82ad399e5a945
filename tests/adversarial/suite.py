"""Programs that try to pass without solving, or to disturb others: how they are read, graded and listed.

python tests/adversarial/suite.py                                          # writes README.md
python tests/adversarial/suite.py --sandbox bwrap floods                   # grades the programs called so, and prints
python tests/adversarial/suite.py --run --sandbox bwrap --sandbox docker   # grades all, and writes docs/adversarial.md
"""

from __future__ import annotations

import argparse
import random
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.guests import Guest
from sandbox.pool import Pool
from sandbox.records import Case, GradingRequest, Limits, Verdict

FOLDER = Path(__file__).parent
PROGRAMS = FOLDER / "programs"
README = FOLDER / "README.md"
LOOT = "LOOT"
LIMITS = Limits(wall_s=0.8, cpu_s=1)
_SEED = 7

_VECTORS: tuple[list[float], ...] = (
    [1, 2, 3],
    [4.5],
    [2, 2],
    [1, 5, 9, 11],
    [-1, 1],
    [0.5, 0.25],
    [10, 20, 40],
    [7, 8],
)
_SYSTEMS = (
    ([[2, 0], [0, 4]], [2, 8]), ([[1, 1], [1, -1]], [3, 1]), ([[4]], [2]), ([[0, 1], [1, 0]], [5, 6]),
    ([[2, 1, 0], [1, 3, 1], [0, 1, 2]], [3, 5, 3]), ([[1, 2], [3, 5]], [1, 2]), ([[3, 0], [0, 3]], [9, -9]),
    ([[10, 2], [2, 1]], [4, 1]),
)  # fmt: skip
_SOLVED = (
    [1, 2], [2, 1], [0.5], [6, 5], [1, 1, 1], [-1, 1], [3, -3], [1 / 3, 1 / 3],
)  # fmt: skip
_PHASORS = ([1 + 1j, 1 - 1j], [2j], [1, 2], [3 + 4j, 1], [-1j, 1j, 3], [0.5 + 0j], [1 + 2j, 3 + 4j], [1e3 + 1j, 1j])


@dataclass(frozen=True)
class Problem:
    """What a program pretends to solve: cases and the function ids it is about."""

    cases: tuple[Case, ...]
    targets: tuple[str, ...]


PROBLEMS = {
    "mean": Problem(tuple(Case({"x": x}, sum(x) / len(x)) for x in _VECTORS), ("mean",)),
    "phasor": Problem(tuple(Case({"x": x}, sum(x) / len(x) + 0j) for x in _PHASORS), ("mean",)),
    "solve": Problem(
        tuple(Case({"a": a, "b": b}, x) for (a, b), x in zip(_SYSTEMS, _SOLVED, strict=True)), ("linalg.solve",)
    ),
}


@dataclass(frozen=True)
class Program:
    """One file: its name, what it tries, the verdicts that are right for it, and its code."""

    name: str
    words: str
    expected: tuple[str, ...]
    problem: str
    code: str

    @property
    def mechanism(self) -> str:
        """The folder that it lies in."""
        return self.name.partition("/")[0]

    @property
    def request(self) -> GradingRequest:
        """The program as a response to its problem."""
        problem = PROBLEMS[self.problem]
        return GradingRequest(f"```python\n{self.code}```\n", "f", problem.cases, problem.targets)


def load() -> list[Program]:
    """All programs, in the order of their names."""
    return [_read(path) for path in sorted(PROGRAMS.glob("*/*.py"))]


def _read(path: Path) -> Program:
    text = path.read_text(encoding="utf-8")
    header = dict(line[2:].split(": ", 1) for line in text.split("\n\n", 1)[0].splitlines())
    name = f"{path.parent.name}/{path.stem}"
    return Program(name, header["mechanism"], tuple(header["expect"].split("|")), header.get("problem", "mean"), text)


class CountingPool(Pool):
    """A pool that knows how many guests it has started."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.started = 0
        self._counting = threading.Lock()

    def _start(self) -> Guest:
        with self._counting:
            self.started += 1
        return super()._start()


def grade_alone(pool: Pool, programs: list[Program]) -> dict[str, Verdict]:
    """Verdicts by name, one program after another on each guest."""
    return dict(zip((p.name for p in programs), pool.grade_all(p.request for p in programs), strict=True))


def grade_interleaved(pool: Pool, programs: list[Program]) -> tuple[dict[str, Verdict], list[tuple[str, Verdict]]]:
    """Verdicts by name, with an honest solution after each program in a shuffled order; and those of the honest."""
    honest = [program for program in programs if program.mechanism == "honest"]
    shuffled = random.Random(_SEED).sample(programs, len(programs))
    mixed = [one for index, program in enumerate(shuffled) for one in (program, honest[index % len(honest)])]
    verdicts = list(pool.grade_all(program.request for program in mixed))
    named = [(program.name, verdict) for program, verdict in zip(mixed, verdicts, strict=True)]
    return dict(named[::2]), named[1::2]


def by_mechanism(programs: Iterable[Program]) -> dict[str, list[Program]]:
    """The programs in groups."""
    groups: dict[str, list[Program]] = {}
    for program in programs:
        groups.setdefault(program.mechanism, []).append(program)
    return groups


def readme(programs: Iterable[Program]) -> str:
    """The text of README.md."""
    groups = by_mechanism(programs)
    rows = [
        f"| {name.replace('_', ' ')} | {len(group)} | {', '.join(sorted({e for p in group for e in p.expected}))} |"
        for name, group in groups.items()
    ]
    total = sum(map(len, groups.values()))
    return _README.format(programs=total, mechanisms=len(groups), rows="\n".join(rows))


_README = """# Adversarial programs

{programs} programs over {mechanisms} mechanisms. Each tries to pass without solving its problem, to learn what it must
not know, to outlive its run or to disturb others; those under `honest` solve it and must pass. Every program is graded
on every sandbox that works here, once in order and once shuffled with an honest solution after each.

The header of a program says what it tries and which verdicts are right for it. Several stand there where backend,
processor or timing decide which limit fires first. A program that finds what it must not find prints `LOOT`.
No program may get another verdict, print `LOOT`, end a guest, or change the verdict of an honest neighbour.

This file is written by `python tests/adversarial/suite.py` and compared with the programs by `test_programs.py`. Which
verdicts were seen on which sandbox stands in `docs/adversarial.md`.

| mechanism | programs | verdicts |
|---|---|---|
{rows}
"""


def main() -> None:
    """Write README.md, grade the named programs, or grade all and write the page of the documentation."""
    options = _options()
    if options.run:
        import page  # it needs this module

        page.write(options.sandbox or ["bwrap", "docker"], load())
    elif options.sandbox:
        for sandbox in options.sandbox:
            _show(sandbox, [p for p in load() if any(part in p.name for part in options.parts or [""])])
    else:
        README.write_text(readme(load()), encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sandbox", action="append", help="may be given several times")
    parser.add_argument("--run", action="store_true", help="grade all programs and write docs/adversarial.md")
    parser.add_argument("parts", nargs="*", help="grade the programs whose name contains one of these")
    return parser.parse_args()


def _show(sandbox: str, programs: list[Program]) -> None:
    with CountingPool(sandbox, workers=1, limits=LIMITS) as pool:
        for program in programs:
            verdict = pool.grade(program.request)
            right = verdict.outcome in program.expected and LOOT not in verdict.detail
            print("right" if right else "WRONG", program.name, verdict.outcome, verdict.detail[-200:], pool.started)


if __name__ == "__main__":
    main()

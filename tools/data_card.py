"""Write the counted parts of docs/data-card.md, between its markers, and the plot docs/images/coverage.png.

    python tools/data_card.py

Everything is counted from the built problems and `solved.jsonl`. The prose of the page is written by hand.
"""

from __future__ import annotations

import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from sebench_tasks import build, problems
from sebench_tasks.checking import coverage
from sebench_tasks.filtering import records
from sebench_tasks.problems import Problem
from zwc import catalog

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "data-card.md"
PLOT = ROOT / "docs" / "images" / "coverage.png"
SETS = {"single_test": "single, test", "single_train": "single, train", "multi_test": "multi, test"}
COLOURS = {"single_test": "#0072b2", "single_train": "#e69f00", "multi_test": "#009e73"}  # Okabe and Ito's


def page(text: str) -> str:
    """The page with its counted parts made anew. Raises ValueError if a marker is missing."""
    built = problems.load("all")
    parts = {
        "composition": _composition(built),
        "filter": _filter(built),
        "lengths": _lengths(built),
        "families": _families(built),
        "functions": _functions(built),
    }
    for name, part in parts.items():
        text, found = re.subn(
            rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
            lambda match, part=part: f"{match[1]}\n{part}\n{match[2]}",
            text,
            flags=re.DOTALL,
        )
        if found != 1:
            raise ValueError(f"the page needs one pair of markers <!-- {name} --> and <!-- /{name} -->, has {found}")
    return text


def plot(path: Path) -> None:
    """Problems per function, a panel for each family."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    counted, families = _counted(problems.load("all")), _by_family()
    widths = [len(ids) for ids in families.values()]
    rows = [list(families)[:4], list(families)[4:8], list(families)[8:]]
    figure = pyplot.figure(figsize=(12, 9), layout="constrained")
    for place, row in zip(figure.subfigures(len(rows), 1), rows, strict=True):
        panels = place.subplots(1, len(row), sharey=True, width_ratios=[len(families[name]) for name in row])
        for panel, name in zip(panels, row, strict=True):
            _panel(panel, name, families[name], counted)
        panels[0].set_ylabel("problems")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    assert sum(widths) == len(catalog.load())
    figure.savefig(path, dpi=110)


def _panel(panel: object, family: str, ids: Sequence[str], counted: Mapping[str, Counter[str]]) -> None:
    below = [0] * len(ids)
    for where, label in SETS.items():
        heights = [counted[where][name] for name in ids]
        panel.bar(range(len(ids)), heights, bottom=below, width=1, color=COLOURS[where], label=label)  # type: ignore[attr-defined]
        below = [low + height for low, height in zip(below, heights, strict=True)]
    panel.set_title(family.replace("_", " "), fontsize=10)  # type: ignore[attr-defined]
    panel.set_xticks([])  # type: ignore[attr-defined]
    panel.spines[["top", "right"]].set_visible(False)  # type: ignore[attr-defined]


def _composition(built: Sequence[Problem]) -> str:
    rows = []
    for where, label in SETS.items():
        chosen = _of(built, where)
        functions = {name for problem in chosen for name in problem.functions}
        cases = sum(len(problem.cases) for problem in chosen)
        rows.append((label, len(chosen), len(functions), cases, problems.content_hash(chosen)))
    multi = _of(built, "multi_test")
    pairs = Counter(pair for problem in multi for pair in combinations(sorted(set(problem.functions)), 2))
    (pair, most), *_ = pairs.most_common(1)
    frequent = f"The pair that most multi problems share is `{pair[0]}` and `{pair[1]}`, in {most} of {len(multi)}."
    return _table("set | problems | functions | cases | hash", rows) + f"\n\n{frequent}"


def _filter(built: Sequence[Problem]) -> str:
    known = records.read(build.SOURCES)
    rows = []
    for where, label in SETS.items():
        solvers = [problem.provenance["solvers"] for problem in _of(built, where)]
        all_passed = sum(counts["solved"] == counts["asked"] > 0 for counts in solvers)
        rewritten = sum(counts["rewrites"] > 0 for counts in solvers)
        answers = sum(counts["asked"] for counts in solvers)
        unasked = sum(counts["asked"] == 0 for counts in solvers)
        rows.append((label, len(solvers), answers, all_passed, rewritten, unasked))
    dropped = len(known.keys() - {problem.id for problem in built})
    heads = "set | problems | solvers' answers | solved by all who were asked | reworded after a failure | not asked"
    return _table(heads, rows) + f"\n\nDropped because solvers failed, and not replaced under the same id: {dropped}."


def _lengths(built: Sequence[Problem]) -> str:
    rows = []
    for where, label in SETS.items():
        chosen = _of(built, where)
        measures = (
            [len(problem.statement.split()) for problem in chosen],
            [len(problem.solution.strip().splitlines()) - 2 for problem in chosen],
            [len(problem.cases) for problem in chosen],
            [len(problem.functions) for problem in chosen],
        )
        rows.append((label, *map(_spread, measures)))
    return _table("set | words in a statement | lines of a solution | cases | functions", rows)


def _families(built: Sequence[Problem]) -> str:
    counted = _counted(built)
    rows = []
    for family, ids in _by_family().items():
        testable = [name for name in ids if name not in coverage.untestable()]
        spreads = (_spread([counted[where][name] for name in testable]) for where in SETS)
        rows.append((family.replace("_", " "), len(testable), *spreads))
    return _table("family | functions | single, test | single, train | multi, test", rows)


def _functions(built: Sequence[Problem]) -> str:
    counted = _counted(built)
    rows = [(f"`{name}`", *(counted[where][name] for where in SETS)) for name in sorted(catalog.load())]
    return _table("function | single, test | single, train | multi, test", rows)


def _of(built: Iterable[Problem], where: str) -> list[Problem]:
    return [problem for problem in built if f"{problem.kind}_{problem.split}" == where]


def _counted(built: Sequence[Problem]) -> dict[str, Counter[str]]:
    """How many problems of each set are about each function."""
    return {where: Counter(name for p in _of(built, where) for name in set(p.functions)) for where in SETS}


def _by_family() -> dict[str, list[str]]:
    families: dict[str, list[str]] = {}
    for name, entry in catalog.load().items():
        families.setdefault(entry.family, []).append(name)
    return families


def _spread(numbers: Sequence[int]) -> str:
    """Least, median and most."""
    return f"{min(numbers)} / {statistics.median(numbers):g} / {max(numbers)}" if numbers else "none"


def _table(heads: str, rows: Iterable[Sequence[object]]) -> str:
    lines = [f"| {heads} |", "|" + "---|" * len(heads.split("|"))]
    return "\n".join(lines + [f"| {' | '.join(map(str, row))} |" for row in rows])


def main() -> None:
    """Write page and plot."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    plot(PLOT)
    print(f"written: {PAGE}, {PLOT}", file=sys.stderr)


if __name__ == "__main__":
    main()

"""A report on results, as Markdown for people and as JSON and CSV for programs."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sebench_tasks.results import paper, tables
from sebench_tasks.results.records import Result
from sebench_tasks.results.tables import Row

_MOST_TURNED = 12


@dataclass(frozen=True)
class Report:
    """The tables of a report, each a list of records."""

    scores: list[Row]
    verdicts: list[Row]
    turned: list[Row]
    recall: list[Row]
    composition: list[Row]


def make(results: Sequence[Result]) -> Report:
    """All tables on these results."""
    closed = [result for result in results if result.setting.condition == "closed"]
    return Report(
        tables.scores(results),
        tables.verdicts(results),
        tables.turned(results),
        tables.recall(closed),
        tables.composition(results),
    )


def markdown(report: Report) -> str:
    """The report as one Markdown text."""
    parts = ["# SE-Bench results", _scores(report.scores), _paper(), _verdicts(report.verdicts)]
    parts += [_turned(report.turned)] if report.turned else []
    parts += [_composition(report.composition)] if report.composition else []
    parts += [_recall(report.recall)] if report.recall else []
    return "\n\n".join(parts) + "\n"


def csv_text(rows: Sequence[Row]) -> str:
    """Records as CSV; columns that a record lacks stay empty."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _scores(rows: Sequence[Row]) -> str:
    passes = sorted({name for row in rows for name in row if name.startswith("pass@")}, key=lambda name: int(name[5:]))
    lines = [
        [
            row["checkpoint"],
            row["task"],
            f"{row['mean']:.1%}",
            f"{row['low']:.1%} to {row['high']:.1%}",
            *(f"{row[name]:.1%}" if name in row else "" for name in passes),
            f"{row['problems']}, {row['samples']} each",
            row["faults"],
        ]
        for row in rows
    ]
    heads = ["checkpoint", "task", "mean", "95% interval", *passes, "problems, samples", "incomplete"]
    note = (
        "The mean is over problems, of the share of samples that passed; intervals are over problems. Do not mix it "
        "with pass@k, which counts a problem that any of k samples solves. A task is closed unless a condition follows."
    )
    return f"## Scores\n\n{_table(heads, lines)}\n\n{note}"


def _paper() -> str:
    lines = [[row.method, f"{row.single:.1%}", f"{row.multi:.1%}"] for row in paper.ROWS]
    note = f"For orientation: the paper's figures for {paper.MODEL} (arXiv 2602.04811), on its own problems."
    return f"{note}\n\n{_table(['method', 'single', 'multi'], lines)}"


def _verdicts(rows: Sequence[Row]) -> str:
    names = [name for name in (rows[0] if rows else {}) if name not in ("checkpoint", "task")]
    lines = [[row["checkpoint"], row["task"], *(f"{row[name]:.1%}" for name in names)] for row in rows]
    return f"## Verdicts\n\n{_table(['checkpoint', 'task', *names], lines)}"


def _turned(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        if "not compared" in row:
            lines.append([row["task"], row["from"], row["to"], f"not compared: {row['not compared']}", "", "", ""])
            continue
        interval = f"{row['difference']:+.1%} ({row['low']:+.1%} to {row['high']:+.1%})"
        turned = (_some(row["gained"]), _some(row["lost"]))
        lines.append([row["task"], row["from"], row["to"], interval, f"{row['p']:.3f}", *turned])
    return f"## Turned problems\n\n{_table(['task', 'from', 'to', 'difference', 'p', 'gained', 'lost'], lines)}"


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MOST_TURNED} more" if len(ids) > _MOST_TURNED else ""
    return f"{len(ids)}: {', '.join(ids[:_MOST_TURNED])}{more}" if ids else "0"


def _composition(rows: Sequence[Row]) -> str:
    names = [name for name in rows[0] if name != "checkpoint"]
    lines = [[row["checkpoint"], *(_cell(row[name]) for name in names)] for row in rows]
    note = "Multi problems by whether all their functions are known: used in a single problem that was solved."
    return f"## Composition\n\n{note}\n\n{_table(['checkpoint', *names], lines)}"


def _recall(rows: Sequence[Row]) -> str:
    lines = []
    for checkpoint in dict.fromkeys(row["checkpoint"] for row in rows):
        mine = [row for row in rows if row["checkpoint"] == checkpoint]
        known = [row["function"] for row in mine if row["known"]]
        called = [row["function"] for row in mine if row["called"] and not row["known"]]
        lines.append([checkpoint, str(len(mine)), _some(known), _some(called)])
    heads = ["checkpoint", "functions asked for", "used in a right answer", "called, but in no right answer"]
    return f"## Recall\n\n{_table(heads, lines)}"


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.1%}" if isinstance(value, float) else str(value)


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return "\n".join(rows + [f"| {' | '.join(map(str, line))} |" for line in lines])

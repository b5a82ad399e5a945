"""`sebench report`: tables on results of either harness."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sebench_tasks.cli.options import reported


@reported
def report(
    results: Annotated[
        list[Path], typer.Argument(metavar="RESULTS...", help="Of lm-eval, Inspect or `sebench grade`.")
    ],
    output: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Where the Markdown goes; by default standard output.")
    ] = None,
    as_json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="All tables as JSON.")] = None,
    as_csv: Annotated[Path | None, typer.Option("--csv", metavar="FOLDER", help="A CSV file for each table.")] = None,
) -> None:
    """Report on any mix of results: scores, verdicts, turned problems, composition, recall of functions.

    Scores come with 95% intervals over problems. Results that differ in problems, vocabulary, prompt or task version
    are listed but not compared, and the report says why.

    Examples:

    \b
      sebench report results/ --output report.md
      sebench report before/ after.eval verdicts.jsonl --json report.json --csv tables/
    """
    from sebench_tasks.results import report as reports
    from sebench_tasks.results.loading import load

    made = reports.make(load(results))
    text = reports.markdown(made)
    if output:
        output.write_text(text, encoding="utf-8")
    else:
        typer.echo(text, nl=False)
    if as_json:
        as_json.write_text(json.dumps(asdict(made), indent=1) + "\n", encoding="utf-8")
    if as_csv:
        as_csv.mkdir(parents=True, exist_ok=True)
        for name, rows in asdict(made).items():
            (as_csv / f"{name}.csv").write_text(reports.csv_text(rows), encoding="utf-8")

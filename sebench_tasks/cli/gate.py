"""`sebench gate`: stop a release whose scores are too low, have dropped, or cannot be trusted."""

from pathlib import Path
from typing import Annotated

import typer

from sebench_tasks.cli.options import BAD_INPUT, FAILED, reported


@reported
def gate(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS...", help="Of lm-eval, Inspect or `sebench grade`."),
    ],
    least: Annotated[
        list[str] | None,
        typer.Option("--min", metavar="NAME=RATE", help="single=0.35, multi=0.1, single/open=0.8; may be repeated."),
    ] = None,
    baseline: Annotated[
        list[Path] | None, typer.Option(metavar="RESULTS", help="Earlier results to compare with; may be repeated.")
    ] = None,
    max_drop: Annotated[
        float | None, typer.Option(min=0, max=1, help="How far scores may fall below the baseline, such as 0.02.")
    ] = None,
    summary: Annotated[Path | None, typer.Option(metavar="FILE.md", help="The checks as Markdown.")] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE.xml", help="The checks as JUnit XML.")] = None,
    allow_mismatch: Annotated[
        bool, typer.Option("--allow-mismatch", help="Compare also what differs in problems, vocabulary or version.")
    ] = False,
) -> None:
    """Judge the results of one checkpoint, for a CI job.

    The status is 0 if every check passed, 1 if a score is too low or has dropped, and 2 if something could not be
    judged: results that are missing, damaged, of a partial (--limit) or failed run, or not comparable with the
    baseline. A drop fails only where it exceeds --max-drop beyond doubt (95%, paired by problem); the message says what
    size of drop the number of problems can show.

    Examples:

    \b
      sebench gate results/ --min single=0.35 --min multi=0.10
      sebench gate results/ --baseline last_release/ --max-drop 0.02 --junit gate.xml --summary "$GITHUB_STEP_SUMMARY"
    """
    from sebench_tasks.errors import SourceError
    from sebench_tasks.results import gate_files
    from sebench_tasks.results.gate import Standing, judge
    from sebench_tasks.results.loading import load

    bounds = dict(map(_bound, least or []))
    if (max_drop is None) != (not baseline):
        raise SourceError("--baseline and --max-drop belong together")
    if not bounds and max_drop is None:
        raise SourceError("nothing to judge: give --min NAME=RATE, or --baseline RESULTS with --max-drop")
    checks = judge(load(results), bounds, load(baseline or []), max_drop, allow_mismatch=allow_mismatch)
    text = gate_files.markdown(checks)
    typer.echo(text, nl=False)
    if summary:
        with summary.open("a", encoding="utf-8") as file:  # a CI service's summary holds what other steps wrote
            file.write(text)
    if junit:
        junit.write_text(gate_files.junit(checks), encoding="utf-8")
    standings = {check.standing for check in checks}
    if Standing.UNJUDGED in standings:
        raise typer.Exit(BAD_INPUT)
    if Standing.FAILED in standings:
        raise typer.Exit(FAILED)


def _bound(text: str) -> tuple[str, float]:
    from sebench_tasks.errors import SourceError

    name, _, number = text.partition("=")
    try:
        bound = float(number)
    except ValueError:
        bound = -1.0
    if not name or not 0 <= bound <= 1:
        raise SourceError(f"--min takes NAME=RATE with a rate from 0 to 1, such as single=0.35; got {text!r}")
    return name, bound

"""`sebench problems`: look at problems, build them, check them."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from sebench_tasks.cli import export
from sebench_tasks.cli import filter as filtering
from sebench_tasks.cli.options import FAILED, VocabularyText, parse_vocabulary, reported

if TYPE_CHECKING:
    from sebench_tasks.checking.collection import Collection
    from sebench_tasks.checking.faults import Fault
    from sebench_tasks.problems import Problem
    from zwc.vocabulary import Vocabulary

app = typer.Typer(help="List, show, build and check problems.", no_args_is_help=True, rich_markup_mode=None)

app.command("filter")(filtering.filter_problems)
app.command("export")(export.export)

Source = Annotated[
    str, typer.Argument(metavar="[SOURCE]", help="A named set, a built file, official:PATH or official-recorded:PATH.")
]


class CheckSandbox(StrEnum):
    """Where the checker grades; `none` leaves grading out."""

    NONE = "none"
    AUTO = "auto"
    DOCKER = "docker"
    PODMAN = "podman"
    BWRAP = "bwrap"
    PROCESS = "process"


@app.command("list")
@reported
def list_problems(
    source: Source = "all",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON record a line, for programs.")] = False,
) -> None:
    """List problems with kind, split and the functions that they are about.

    Of official:PATH only the recorded results are read, as from official-recorded:PATH; no solution runs.

    Examples:

    \b
      sebench problems list single_test
      sebench problems list --json all
    """
    from sebench_tasks import problems

    records = problems.load(source, reconcile=False)
    if as_json:
        for problem in records:
            typer.echo(json.dumps(_summary(problem)))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("id", "kind", "split", "functions", title=f"{len(records)} problems")
    for problem in records:
        table.add_row(problem.id, problem.kind, problem.split, ", ".join(problem.functions))
    Console().print(table)
    typer.echo(f"hash {problems.content_hash(records)}")


@app.command()
@reported
def show(
    problem_id: Annotated[str, typer.Argument(metavar="ID")],
    source: Annotated[str, typer.Option("--problems", metavar="SOURCE", help="Where to look.")] = "all",
) -> None:
    """Print one problem: statement, signature, solution and cases.

    Example:

    \b
      sebench problems show combined_events_links
    """
    from sebench_tasks import problems, prompts
    from sebench_tasks.errors import SourceError

    problem = next((record for record in problems.load(source, reconcile=False) if record.id == problem_id), None)
    if problem is None:
        raise SourceError(f"no problem {problem_id!r} in {source!r}; see `sebench problems list {source}`")
    typer.echo(f"{problem.id}  ({problem.kind}, {problem.split}: {', '.join(problem.functions)})\n")
    typer.echo(f"{problem.statement}\n\n{problem.signature}\n\n{problem.solution}")
    for case in problem.cases:
        typer.echo(f"{prompts.call_text(problem, case.arguments)}\n    {prompts.value_text(case.expected)}")
        for value in case.alternatives:
            typer.echo(f"    or {prompts.value_text(value)}")


@app.command("build")
@reported
def build_problems(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if the built file or the version is out of date.")
    ] = False,
    new_version: Annotated[
        bool, typer.Option("--new-version", help="Begin the next task version with these test problems.")
    ] = False,
) -> None:
    """Compute expected values from the solutions and write the built problem file.

    A test problem that changed makes a new task version, since results before and after it do not compare.

    Examples:

    \b
      sebench problems build
      sebench problems build --new-version
      sebench problems build --check
    """
    from sebench_tasks import build, problems

    if check:
        _check_built()
        return
    built = build.build(known=_known())
    build.write(built)
    typer.echo(f"{len(built)} problems, hash {problems.content_hash(built)}: {build.TARGET}")
    if new_version:
        from sebench_tasks import task_version

        number = task_version.raise_number(build.SOURCES, built).number
        typer.echo(f"Task version {number}: write it into sebench_tasks/lm_eval_tasks and inspect_tasks.py too.")
    elif text := _changed(built):
        typer.echo(text, err=True)


def _known() -> "list[Problem]":
    """The problems of the last build: values that differ by rounding only stay, and with them what solvers solved."""
    from sebench_tasks import build, problems

    return problems.read(build.TARGET) if build.TARGET.is_file() else []


def _check_built() -> None:
    from sebench_tasks import build, problems

    differences = build.stale(build.build(build.SOURCES, _known()), build.TARGET)
    for difference in differences:
        typer.echo(difference, err=True)
    if differences:
        typer.echo("The built file is out of date: run `sebench problems build`.", err=True)
        raise typer.Exit(FAILED)
    if text := _changed(problems.read(build.TARGET)):
        typer.echo(text, err=True)
        raise typer.Exit(FAILED)
    typer.echo(f"up to date: {build.TARGET}")


def _changed(built: "list[Problem]") -> str:
    """What to do about test problems that are not those of the task version; empty if they are."""
    from sebench_tasks import build, task_version

    version = task_version.read(build.SOURCES)
    if not (sets := task_version.changed(version, built)):
        return ""
    return (
        f"{' and '.join(sets)} changed since task version {version.number}, so results no longer compare: "
        "`sebench problems build --new-version` begins the next."
    )


@app.command("check")
@reported
def check_problems(
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE]...", help="A named set, a built file, source files or folders of them."),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="Further source files or folders that must not be repeated."),
    ] = None,
    whole_set: Annotated[bool, typer.Option("--set", help="Also coverage and size of the set as a whole.")] = False,
    sandbox: Annotated[CheckSandbox, typer.Option(help="Also grade the oracle and cheats there.")] = CheckSandbox.NONE,
    vocabulary: VocabularyText = "default",
) -> None:
    """Check problems against every rule and print all faults, one a line; status 1 if there are any.

    Without a sandbox: form, statements, duplicates within the whole set, cases, and solutions with NumPy, also changed
    and under other legitimate results. With one, also: the problem's own solution passes, an empty answer and an answer
    that only knows the cases do not.

    Source files lie in a folder named <kind>_<split>, such as drafts/single_test/tides.toml.

    Solutions run with NumPy on this machine, outside any sandbox; official files are therefore refused.

    Examples:

    \b
      sebench problems check
      sebench problems check drafts/single_test/tides.toml --against other_drafts
      sebench problems check sebench_tasks/problems --sandbox auto
    """
    from sebench_tasks import problems
    from sebench_tasks.checking import collection, coverage

    named = sources or ["all"]
    for source in named:
        if source.partition(":")[0] in problems.OFFICIAL_FORMS:
            _refuse(source)
    found = collection.collect(named, against or ())
    if any(problem.provenance.get("source") == problems.OFFICIAL_SOURCE for problem in found.records):
        _refuse(" ".join(named))
    faults = [*found.faults, *_faults(found, parse_vocabulary(vocabulary), sandbox)]
    faults += coverage.set_faults(found.records) if whole_set else []
    for fault in faults:
        typer.echo(f"{fault.problem_id}: {fault.rule}: {fault.text}")
    accepted = sum(len(problem.provenance.get("equivalent", ())) for problem in found.records)
    counts = f"{len(found.records) + len(found.faults)} problems, {len(faults)} faults"
    typer.echo(counts + (f", {accepted} mutants listed as equivalent" if accepted else ""), err=True)
    if faults:
        raise typer.Exit(FAILED)


@app.command("coverage")
@reported
def show_coverage(
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE]...", help="As for check; several are counted together."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also functions of which enough is there.")] = False,
) -> None:
    """Count problems per function, of those that each needs, and print where too few are there.

    Examples:

    \b
      sebench problems coverage
      sebench problems coverage all drafts --all
    """
    from rich.console import Console
    from rich.table import Table

    from sebench_tasks.checking import collection, coverage

    records = collection.unsolved(sources or ["all"])
    table = Table("function", *coverage.PER_FUNCTION, title=f"{len(records)} problems")
    for row in coverage.rows(records):
        if everything or row.missing:
            cells = (f"{row.counts[where]} of {need}" for where, need in coverage.PER_FUNCTION.items())
            table.add_row(row.function_id, *cells)
    Console().print(table)
    for fault in coverage.total_faults(records):
        typer.echo(f"{fault.rule}: {fault.text}")


def _refuse(source: str) -> NoReturn:
    from sebench_tasks.errors import SourceError

    raise SourceError(f"{source!r} cannot be checked: the checker runs solutions on this machine, in no sandbox")


def _faults(found: "Collection", words: "Vocabulary", sandbox: CheckSandbox) -> "list[Fault]":
    from sebench_tasks.check import inspect

    if sandbox is CheckSandbox.NONE:
        return inspect(found.records, words, others=found.others)
    from sandbox.pool import Pool

    with Pool(sandbox.value, words) as pool:
        pool.check()
        return inspect(found.records, words, pool, others=found.others)


def _summary(problem: "Problem") -> dict[str, object]:
    return {
        "id": problem.id,
        "kind": problem.kind,
        "split": problem.split,
        "functions": list(problem.functions),
        "entry_point": problem.entry_point,
        "cases": len(problem.cases),
    }

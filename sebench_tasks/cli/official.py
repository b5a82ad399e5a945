"""`sebench official`: the official data set in this project's own form."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sebench_tasks.cli.options import FAILED, Sandbox, installed_version, reported
from sebench_tasks.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from sandbox.pool import Pool
    from sebench_tasks.official_import import ProblemSet, Source
    from zwc.vocabulary import Vocabulary

app = typer.Typer(help="Import the official data set.", no_args_is_help=True, rich_markup_mode=None)

_COUNTS = {
    "lines left out": "malformed",
    "record and solution differ": "contradicts_its_solution",
    "solution raises in some cases": "solution_raises",
    "recorded results alone": "not_reconciled",
}

ProblemFile = Annotated[Path | None, typer.Option(metavar="FILE", help="A problem file of the official form.")]


@app.command("import")
@reported
def import_official(
    api_doc: Annotated[Path, typer.Option(metavar="FILE", help="The official API file (JSONL): the names.")],
    single: ProblemFile = None,
    multi: ProblemFile = None,
    train: ProblemFile = None,
    hub: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="In place of files: load the problems from the hub, where they are jintailin/SE-Bench."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="By default SEBENCH_OFFICIAL, else sebench/official in the user's data folder."
        ),
    ] = None,
    sandbox: Annotated[Sandbox, typer.Option(help="Where the solutions run; process isolates nothing.")] = Sandbox.AUTO,
) -> None:
    """Import official problems and names for the sets official_single, official_multi and official_train.

    Each solution runs once in the sandbox, because what it returns counts beside the recorded results. Lines that
    cannot be read are reported and left out. import.json in the folder says what came from where.
    An import replaces an earlier one as a whole; one that fails leaves it as it was.
    The status is 0 if every line was imported, 1 if some were left out, 2 for wrong input, 3 if the sandbox failed.

    Examples:

    \b
      sebench official import --api-doc api_doc.jsonl --single single_test.jsonl --multi multiple_test.jsonl
      sebench official import --api-doc api_doc.jsonl --hub jintailin/SE-Bench
    """
    from sebench_tasks import official_import
    from zwc.vocabulary import Vocabulary, official_folder

    folder = output or official_folder()
    with ExitStack() as stack:
        stage = stack.enter_context(official_import.staging(folder))
        words = Vocabulary.from_official(api_doc)
        files = {"single_test": single, "multi_test": multi, "train": train}
        recorded = [official_import.read(source) for source in _sources(files, hub, stack)]
        sets, provenance = _reconciled(recorded, sandbox, words)
        official_import.save(stage, api_doc, words, sets, provenance)
    _report(folder)
    if any(one.malformed for one in sets):
        raise typer.Exit(FAILED)


@app.command()
@reported
def show() -> None:
    """Show what is imported, where it lies, and which lines were left out.

    Example:

    \b
      sebench official show
    """
    from zwc.vocabulary import official_folder

    _report(official_folder())


def _sources(files: "Mapping[str, Path | None]", hub: str | None, stack: ExitStack) -> "list[Source]":
    """The problem files to read: those named, or those of the hub in a folder that lasts as long as `stack`."""
    import tempfile

    from sebench_tasks import official_hub
    from sebench_tasks.errors import SourceError
    from sebench_tasks.official_import import Source

    named = [Source(name, path, str(path)) for name, path in files.items() if path is not None]
    if (hub is None) == (not named):
        raise SourceError(
            "give problem files with --single, --multi and --train (one at least), or a data set with --hub"
        )
    if hub is None:
        return named
    return official_hub.download(hub, Path(stack.enter_context(tempfile.TemporaryDirectory())))


def _reconciled(
    recorded: "Sequence[ProblemSet]", sandbox: Sandbox, words: "Vocabulary"
) -> "tuple[list[ProblemSet], dict[str, str]]":
    """The sets with what their solutions return, and what they ran in."""
    from sebench_tasks import official_import

    with _pool(sandbox, words) as pool, progress() as bar:
        pool.check()
        task = bar.add_task("Running the solutions", total=sum(len(one.problems) for one in recorded))
        sets = [official_import.reconcile(one, pool, lambda: bar.advance(task)) for one in recorded]
        versions = {name: installed_version(name) for name in ("sebench-tasks", "numpy")}
        return sets, {**versions, **pool.provenance}


def _pool(sandbox: Sandbox, words: "Vocabulary") -> "Pool":
    from sandbox.pool import Pool
    from sebench_tasks import official

    return Pool(sandbox.value, words, official.default_workers())


def _report(folder: Path) -> None:
    """Print what is imported; on standard error, lines left out and solutions that could not be run."""
    from rich.console import Console

    from sebench_tasks import imported
    from zwc.vocabulary import official_folder

    described = imported.report(folder)
    for one in described["sets"].values():
        for row in one["malformed"]:
            typer.echo(f"{one['source']}:{row['line']}: left out: {row['reason']}", err=True)
        for reason in one["not_reconciled"].values():
            typer.echo(f"Recorded results alone: {reason}", err=True)
    Console().print(_table(described["sets"]))
    vocabulary = described["vocabulary"]
    typer.echo(f"Vocabulary official: {vocabulary['functions']} functions, fingerprint {vocabulary['fingerprint']}")
    typer.echo(f"Folder: {folder}")
    _next_steps(described["sets"], None if folder == official_folder() else folder)


def _table(sets: "Mapping[str, Mapping[str, Any]]") -> "Table":
    from rich.table import Table

    from sebench_tasks.problems import IMPORTED_SETS

    names = {stem: name for name, stem in IMPORTED_SETS.items()}
    table = Table("", *(names[stem] for stem in sets), title="Imported official data")
    table.add_row("problems", *(str(one["problems"]) for one in sets.values()))
    table.add_row("functions in each", *(", ".join(one["functions_per_problem"]) for one in sets.values()))
    for row, key in _COUNTS.items():
        table.add_row(row, *(str(len(one[key])) for one in sets.values()))
    table.add_row("hash", *(one["problem_set_hash"] for one in sets.values()))
    return table


def _next_steps(sets: "Mapping[str, object]", elsewhere: Path | None) -> None:
    """The commands that ask the imported problems, where there are test sets."""
    kinds = [kind for kind in ("single", "multi") if f"{kind}_test" in sets]
    if not kinds:
        return
    typer.echo("\nNext:")
    if elsewhere:
        typer.echo(f"  export SEBENCH_OFFICIAL={elsewhere.resolve()}")
    tasks = ",".join(f"sebench_official_{kind}" for kind in kinds)
    typer.echo(f"  lm_eval --model hf --model_args pretrained=CHECKPOINT --tasks {tasks}")
    typer.echo(f"  inspect eval sebench_tasks/sebench_official_{kinds[0]} --model hf/CHECKPOINT")

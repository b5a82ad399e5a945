"""`sebench vocabulary`: pseudo-names."""

import json
from pathlib import Path
from typing import Annotated

import typer

from sebench_tasks.cli.functions import function_ids
from sebench_tasks.cli.options import VocabularyText, parse_vocabulary, reported

app = typer.Typer(help="Show vocabularies and make new ones.", no_args_is_help=True, rich_markup_mode=None)


@app.command()
@reported
def show(
    functions: Annotated[list[str] | None, typer.Argument(metavar="[FUNCTION]...", help="Only these.")] = None,
    vocabulary: VocabularyText = "default",
) -> None:
    """Print function ids with the names that code uses, one a line, tab-separated; label and fingerprint on stderr.

    Examples:

    \b
      sebench vocabulary show mean linalg.inv
      sebench vocabulary show --vocabulary seed:7
    """
    words = parse_vocabulary(vocabulary)
    chosen = function_ids(functions or [], words)
    typer.echo(f"{words.label}, fingerprint {words.fingerprint}, {len(words.names)} functions", err=True)
    for name in chosen or words.names:
        typer.echo(f"{name}\t{words.qualified(name)}")


@app.command()
@reported
def new(
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same names everywhere.")],
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="By default standard output.")] = None,
) -> None:
    """Make the vocabulary of a seed: a library that no model can have seen.

    Example:

    \b
      sebench vocabulary new --seed 7 --output seed7.json
    """
    from zwc.vocabulary import Vocabulary

    words = Vocabulary.from_seed(seed)
    if output is None:
        record = {"label": words.label, "fingerprint": words.fingerprint, "names": dict(words.names)}
        typer.echo(json.dumps(record, indent=1))
        return
    words.save(output)
    typer.echo(f"{words.label}, fingerprint {words.fingerprint}: {output}")

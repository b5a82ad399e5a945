"""`sebench reference`: the API documentation of zwc."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sebench_tasks.cli.functions import function_ids
from sebench_tasks.cli.options import VocabularyText, parse_vocabulary, reported

if TYPE_CHECKING:
    from zwc.vocabulary import Vocabulary


class Format(StrEnum):
    """Forms of the reference."""

    MARKDOWN = "markdown"
    JSONL = "jsonl"
    TEXT = "text"
    COMPACT = "compact"


@reported
def reference(
    functions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FUNCTION]...", help="Ids or names, such as linalg.inv or zwc.kocito. By default all."),
    ] = None,
    vocabulary: VocabularyText = "default",
    form: Annotated[Format, typer.Option("--format", help="compact: signatures and summaries only.")] = Format.TEXT,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FOLDER", help="With markdown: a page per function into a new folder."),
    ] = None,
) -> None:
    """Print the reference of zwc in the names of a vocabulary, or write its pages.

    Examples:

    \b
      sebench reference mean linalg.inv zwc.kocito
      sebench reference --vocabulary seed:7 --format jsonl > reference.jsonl
      sebench reference --format markdown --output reference
    """
    from zwc import reference as rendering

    words = parse_vocabulary(vocabulary)
    chosen = function_ids(functions or [], words)
    if output is None:
        typer.echo(rendering.render(form.value, chosen or list(words.names), words), nl=False)
        return
    if form is not Format.MARKDOWN or chosen:
        raise typer.BadParameter(
            "goes with --format markdown and no FUNCTION; else use `> FILE`", param_hint="--output"
        )
    _write_pages(output, words)


def _write_pages(folder: Path, vocabulary: "Vocabulary") -> None:
    """Write the pages into a folder that is new or empty, so that none of another vocabulary is left between them."""
    from zwc import reference as rendering

    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; name another folder")
    files = rendering.markdown_files(vocabulary)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    typer.echo(f"{len(files)} files of {vocabulary.label}, fingerprint {vocabulary.fingerprint}: {folder / 'index.md'}")

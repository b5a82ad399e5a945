"""`sebench reference`: the API documentation of zwc."""

from enum import StrEnum
from typing import Annotated

import typer

from sebench_tasks.cli.options import VocabularyText, check_functions, parse_vocabulary, reported


class Format(StrEnum):
    """Forms of the reference."""

    MARKDOWN = "markdown"
    JSONL = "jsonl"
    TEXT = "text"
    COMPACT = "compact"


@reported
def reference(
    functions: Annotated[list[str] | None, typer.Argument(metavar="[FUNCTION]...", help="By default all.")] = None,
    vocabulary: VocabularyText = "default",
    form: Annotated[Format, typer.Option("--format", help="compact: signatures and summaries only.")] = Format.TEXT,
) -> None:
    """Print the reference of zwc in the names of a vocabulary.

    Examples:

    \b
      sebench reference mean linalg.inv
      sebench reference --vocabulary seed:7 --format markdown > reference.md
    """
    from zwc import reference as rendering

    words = parse_vocabulary(vocabulary)
    check_functions(functions or [], words)
    typer.echo(rendering.render(form.value, functions or list(words.names), words), nl=False)

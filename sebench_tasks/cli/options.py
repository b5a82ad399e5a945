"""Options that several commands share, and how commands end."""

import functools
from collections.abc import Callable
from enum import StrEnum
from importlib import util
from typing import TYPE_CHECKING, Annotated, NoReturn, ParamSpec, TypeVar

import typer

from sebench_tasks import versions

if TYPE_CHECKING:
    from zwc.vocabulary import Vocabulary

FAILED = 1
BAD_INPUT = 2
MACHINERY_FAILED = 3

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

Problems = Annotated[
    str,
    typer.Option(
        "--problems",
        metavar="SOURCE",
        help=(
            "single, multi, train, test, <kind>_<split>, all, a built JSONL file, official_single, official_multi or "
            "official_train (imported), official:PATH, or official-recorded:PATH (accepts the recorded results alone); "
            "@mean+sort behind any of them keeps what is about these functions alone."
        ),
    ),
]
VocabularyText = Annotated[
    str,
    typer.Option(
        "--vocabulary",
        metavar="VOCABULARY",
        help="default, seed:N, official (the imported one), official:PATH, or a vocabulary file.",
    ),
]
VocabularyOfProblems = Annotated[
    str | None,
    typer.Option(
        "--vocabulary",
        metavar="VOCABULARY",
        help="As for `sebench reference`; if not given, official for imported official problems, else default.",
    ),
]


class Sandbox(StrEnum):
    """Where code runs."""

    AUTO = "auto"
    DOCKER = "docker"
    PODMAN = "podman"
    BWRAP = "bwrap"
    PROCESS = "process"


class GradedCondition(StrEnum):
    """Conditions that differ in grading; `open` is graded as `closed`."""

    CLOSED = "closed"
    NUMPY = "numpy"


def reported(command: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let a command end with a message where an error is meant for the user.

    The status is 2 for what was asked or given wrongly, 3 where the machinery failed, and else 1.
    """

    @functools.wraps(command)
    def run(*args: Parameters.args, **options: Parameters.kwargs) -> Result:
        from sandbox.errors import SandboxError
        from sebench_tasks.errors import BuildError, OracleError, SebenchError
        from zwc.vocabulary import VocabularyError

        try:
            return command(*args, **options)
        except (BuildError, OracleError) as error:
            _end(error, FAILED)
        except (SebenchError, VocabularyError) as error:
            _end(error, BAD_INPUT)
        except (FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, NotADirectoryError) as error:
            _end(error, BAD_INPUT)
        except (SandboxError, OSError) as error:
            _end(error, MACHINERY_FAILED)

    return run


def _end(error: Exception, status: int) -> NoReturn:
    typer.echo(f"Error: {error}", err=True)
    raise typer.Exit(status) from error


def installed_version(distribution: str) -> str:
    """The version of a distribution, or what there is in its place."""
    version = versions.installed(distribution)
    present = version == versions.NOT_INSTALLED and util.find_spec(distribution.replace("-", "_")) is not None
    return "present, not installed as a distribution" if present else version


def parse_vocabulary(text: str) -> "Vocabulary":
    """The vocabulary that an option names."""
    from zwc.vocabulary import Vocabulary

    return Vocabulary.parse(text)


def vocabulary_of(problems: str, text: str | None) -> "Vocabulary":
    """The vocabulary that an option names, or that the problems are asked in."""
    from sebench_tasks.problems import default_vocabulary

    return parse_vocabulary(text or default_vocabulary(problems))

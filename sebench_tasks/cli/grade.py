"""`sebench grade`: responses to verdicts."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from sebench_tasks.cli.options import (
    BAD_INPUT,
    GradedCondition,
    Problems,
    Sandbox,
    VocabularyOfProblems,
    installed_version,
    reported,
    vocabulary_of,
)
from sebench_tasks.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.table import Table

    from sandbox.grader import Grader
    from sandbox.records import Verdict
    from sebench_tasks.problems import Problem
    from sebench_tasks.responses import Response, VerdictFile
    from zwc.vocabulary import Vocabulary


@reported
def grade(
    responses: Annotated[Path, typer.Argument(metavar="RESPONSES.jsonl", help='Lines {"id": …, "response": …}.')],
    problems: Problems,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="VERDICTS.jsonl", help="Where verdicts go, in input order.")
    ] = None,
    sandbox: Annotated[Sandbox, typer.Option(help="Where code runs; process isolates nothing.")] = Sandbox.AUTO,
    vocabulary: VocabularyOfProblems = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Parallel guests, with --ray on each node; by default one a processor.")
    ] = None,
    condition: Annotated[
        GradedCondition, typer.Option(help="numpy: responses use NumPy instead of zwc.")
    ] = GradedCondition.CLOSED,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Grade on the nodes of a Ray cluster: its HOST:PORT, auto for the running one, or local.",
        ),
    ] = None,
) -> None:
    """Grade responses and print a summary of the verdicts.

    Each input line is {"id": PROBLEM, "response": TEXT}, with an optional "sample" number for several responses to one
    problem (by default they are counted from 0). A file with malformed lines is refused as a whole, with status 2.

    While it runs, verdicts are kept in VERDICTS.jsonl.partial; after an interruption the same command goes on there.
    VERDICTS.jsonl.run.json says what was graded how: problems, vocabulary, condition, sandbox and versions.
    A partial file of a run that differs in these is renamed to VERDICTS.jsonl.partial.old.
    The status is 0 whatever the verdicts are, 2 for wrong arguments or input, and 3 if the sandbox failed.

    Examples:

    \b
      sebench grade responses.jsonl --problems single_test --output verdicts.jsonl
      sebench grade responses.jsonl --problems official:single_test.jsonl --vocabulary official:api_doc.jsonl
    """
    from sebench_tasks import problems as problem_sets
    from sebench_tasks import task_version
    from sebench_tasks.prompts import PROMPT_VERSION
    from sebench_tasks.responses import VerdictFile, read_responses

    records = problem_sets.load(problems, sandbox=sandbox.value)
    known = {problem.id: problem for problem in records}
    parsed, faults = read_responses(responses, known)
    if faults:
        _refuse(responses, faults)
    with _pool(sandbox.value, vocabulary_of(problems, vocabulary), workers, ray) as pool:
        pool.check()
        run = {
            "responses_hash": _digest(responses),
            "problem_set_hash": problem_sets.content_hash(records),
            "problem_count": len(records),
            "task_version": task_version.current(),
            "condition": condition.value,
            **pool.provenance,
            "sebench-tasks": installed_version("sebench-tasks"),
            "prompt_version": PROMPT_VERSION,
        }
        file = VerdictFile(output, run)
        done = file.resume()
        if file.set_aside:
            typer.echo(f"{file.partial} is of another run; it is now {file.set_aside}.", err=True)
        if done:
            typer.echo(f"Going on after {len(done)} verdicts in {file.partial}.", err=True)
        with _kept_on_failure(done, len(parsed), file):
            verdicts = _graded(parsed[len(done) :], known, condition, pool, len(parsed), len(done))
            _grade_rest(parsed, done, verdicts, file)
            file.finish(problems=problems)
    _summarise(done, run, output)


def _pool(sandbox: str, vocabulary: "Vocabulary", workers: int | None, ray: str | None) -> "Grader":
    """Guests on this machine, or on a Ray cluster if an address is given."""
    from sandbox.pool import Pool
    from sandbox.ray_pool import RayPool

    if ray is None:
        return Pool(sandbox, vocabulary, workers)
    return RayPool(sandbox, vocabulary, workers, address=ray)


@contextmanager
def _kept_on_failure(done: "Sequence[Mapping[str, Any]]", total: int, file: "VerdictFile") -> "Iterator[None]":
    """Where grading ends early, say where the verdicts are."""
    from sandbox.errors import SandboxError

    try:
        yield
    except (SandboxError, OSError, KeyboardInterrupt):
        if file.partial and file.partial.is_file():
            kept = f"{len(done)} of {total} verdicts are kept in {file.partial}"
            typer.echo(f"{kept}; the same command goes on after them.", err=True)
        raise


def _grade_rest(
    responses: "Sequence[Response]",
    done: "list[dict[str, Any]]",
    verdicts: "Iterable[Verdict]",
    file: "VerdictFile",
) -> None:
    """Keep the verdicts, and add them to `done`."""
    from sebench_tasks.responses import verdict_record

    with file:
        for verdict in verdicts:
            record = verdict_record(responses[len(done)], verdict)
            file.add(record)
            done.append(record)


def _graded(
    responses: "Sequence[Response]",
    known: "Mapping[str, Problem]",
    condition: GradedCondition,
    pool: "Grader",
    total: int,
    completed: int,
) -> "Iterable[Verdict]":
    """Verdicts in input order, with a progress bar on standard error."""
    from sebench_tasks.grading_requests import grading_request
    from sebench_tasks.prompts import Condition

    requests = (
        grading_request(known[response.problem_id], response.text, Condition(condition.value)) for response in responses
    )
    with progress() as bar:
        task = bar.add_task("Grading", total=total, completed=completed)
        for verdict in pool.grade_all(requests):
            bar.advance(task)
            yield verdict


def _refuse(path: Path, faults: "Sequence[str]") -> NoReturn:
    for fault in faults:
        typer.echo(f"{path}:{fault}", err=True)
    typer.echo(f"{len(faults)} malformed lines; nothing was graded.", err=True)
    raise typer.Exit(BAD_INPUT)


def _digest(path: Path) -> str:
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _summarise(records: "Sequence[Mapping[str, Any]]", run: "Mapping[str, Any]", output: Path | None) -> None:
    from rich.console import Console

    console = Console()
    console.print(_summary_table(records))
    console.print(", ".join(f"{name} {value}" for name, value in run.items()), highlight=False, soft_wrap=True)
    if output:
        console.print(f"Verdicts: {output}", highlight=False, soft_wrap=True)


def _summary_table(records: "Sequence[Mapping[str, Any]]") -> "Table":
    from collections import Counter

    from rich.table import Table

    counts = Counter(record["verdict"] for record in records)
    table = Table("verdict", title=f"{len(records)} responses")
    table.add_column("count", justify="right")
    table.add_column("share", justify="right")
    for verdict, count in counts.most_common():
        table.add_row(verdict, str(count), f"{count / len(records):.1%}")
    return table

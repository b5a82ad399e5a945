"""`sebench problems filter` and `export`: keep what independent solvers solve."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sebench_tasks.cli.options import MACHINERY_FAILED, Problems, Sandbox, reported
from sebench_tasks.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sandbox.records import Verdict
    from sebench_tasks.filtering.asking import Asked
    from sebench_tasks.filtering.decisions import Decision
    from sebench_tasks.problems import Problem


@reported
def filter_problems(
    problems: Problems,
    output: Annotated[Path, typer.Option(metavar="FOLDER", help="Answers, decisions and the problems that stay.")],
    solver: Annotated[
        list[str] | None, typer.Option(metavar="MODEL", help="A model as Inspect names it; may be repeated.")
    ] = None,
    answers: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="Answers that a solver gave elsewhere, as `sebench grade` reads them."),
    ] = None,
    need: Annotated[int | None, typer.Option(min=1, help="How many solvers must pass; by default all.")] = None,
    price: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL=IN,OUT", help="Cost of a million tokens read and written, to show what it cost."),
    ] = None,
    connections: Annotated[int, typer.Option(min=1, help="Requests at a time to each model.")] = 8,
    sandbox: Annotated[Sandbox, typer.Option(help="Where answers run.")] = Sandbox.AUTO,
    record: Annotated[
        bool, typer.Option("--record", help="Add the counts to the project's own problem sources (solved.jsonl).")
    ] = False,
) -> None:
    """Keep the problems that several solvers solve in NumPy form, and say why others are dropped.

    A solver sees what a model sees in the numpy condition: statement, signature and one example. Its answers are
    written to FOLDER/answers/ as they come; the same command goes on where an earlier one ended, and asks again where a
    provider failed. FOLDER/decisions.jsonl says who solved what; FOLDER/kept.jsonl holds the problems that stay.

    The status is 3 while answers are missing that could change a decision.

    Examples:

    \b
      sebench problems filter --problems drafts.jsonl --solver openai/gpt-4o --solver hf/FOLDER --output filtered
      sebench problems filter --problems single_test --answers anna=a.jsonl --answers ben=b.jsonl --output filtered
    """
    from sebench_tasks import problems as problem_sets
    from sebench_tasks.errors import SourceError
    from sebench_tasks.filtering.decisions import Fate, decide

    known = problem_sets.load(problems)
    prices = {name: _price(text) for name, text in map(_named, price or [])}
    given = [_named(text) for text in answers or []]
    names = [*(solver or []), *(name for name, _ in given)]
    if not names or len(set(names)) < len(names):
        raise SourceError("name one or more solvers, each once, by --solver MODEL or --answers NAME=FILE")
    if need is not None and need > len(names):
        raise SourceError(f"--need {need} cannot be met by {len(names)} solvers")
    asked = {name: _ask(name, known, output, connections) for name in solver or []}
    asked |= {name: _given(Path(path), known) for name, path in given}
    verdicts = _graded(known, asked, sandbox.value)
    decisions = [decide(problem, names, verdicts[problem.id], need or len(names)) for problem in known]
    _write(output, decisions)
    if record:
        _record(decisions)
    _report(decisions, asked, prices, output)
    if any(decision.fate is Fate.UNDECIDED for decision in decisions):
        raise typer.Exit(MACHINERY_FAILED)


@reported
def export(
    problems: Problems,
    output: Annotated[Path, typer.Option(metavar="FILE", help="A .jsonl of ids and prompts, or a .txt to read.")],
) -> None:
    """Write what a solver sees of each problem, for solvers that are asked by hand.

    Example:

    \b
      sebench problems export --problems single_test --output tasks.txt
    """
    from sebench_tasks import problems as problem_sets

    prompts = _prompts(problem_sets.load(problems, reconcile=False))
    if output.suffix == ".jsonl":
        lines = [json.dumps({"id": key, "prompt": prompt}) for key, prompt in prompts.items()]
    else:
        lines = [f"##### {key}\n{prompt}" for key, prompt in prompts.items()]
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    typer.echo(f"{len(prompts)} problems: {output}")


def _prompts(known: "Sequence[Problem]") -> dict[str, str]:
    from sebench_tasks import prompts
    from sebench_tasks.prompts import Condition
    from zwc.vocabulary import Vocabulary

    nothing = Vocabulary.default()  # the numpy condition shows no name of it
    return {problem.id: prompts.build(problem, Condition.NUMPY, nothing) for problem in known}


def _named(text: str) -> tuple[str, str]:
    from sebench_tasks.errors import SourceError

    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise SourceError(f"expected NAME=VALUE, got {text!r}")
    return name, value


def _price(text: str) -> tuple[float, float]:
    from sebench_tasks.errors import SourceError

    try:
        read, written = map(float, text.split(","))
    except ValueError as error:
        raise SourceError(f"a price is two numbers, for a million tokens read and written; got {text!r}") from error
    return read, written


def _ask(name: str, known: "Sequence[Problem]", output: Path, connections: int) -> "Asked":
    from sebench_tasks.filtering import asking

    path = output / "answers" / f"{name.replace('/', '--')}.jsonl"
    with progress() as bar:
        task = bar.add_task(f"Asking {name}", total=len(known))
        return asking.ask(asking.solver(name), _prompts(known), path, connections, lambda: bar.advance(task))


def _given(path: Path, known: "Sequence[Problem]") -> "Asked":
    from sebench_tasks.errors import SourceError
    from sebench_tasks.filtering.asking import Asked, read

    if not path.is_file():
        raise SourceError(f"no file of answers at {path}")
    wanted = {problem.id for problem in known}
    return Asked({key: answer for key, answer in read(path).items() if key in wanted})


def _graded(known: "Sequence[Problem]", asked: "Mapping[str, Asked]", sandbox: str) -> "dict[str, dict[str, Verdict]]":
    """Verdicts by problem and solver."""
    from sandbox.pool import Pool
    from sebench_tasks.grading_requests import grading_request
    from sebench_tasks.prompts import Condition

    order = [
        (problem, name, found.answers[problem.id])
        for problem in known
        for name, found in asked.items()
        if problem.id in found.answers
    ]
    verdicts: dict[str, dict[str, Verdict]] = {problem.id: {} for problem in known}
    requests = (grading_request(problem, answer.response, Condition.NUMPY) for problem, _, answer in order)
    with Pool(sandbox) as pool, progress() as bar:
        pool.check()
        task = bar.add_task("Grading", total=len(order))
        for (problem, name, _), verdict in zip(order, pool.grade_all(requests), strict=True):
            verdicts[problem.id][name] = verdict
            bar.advance(task)
    return verdicts


def _write(output: Path, decisions: "Sequence[Decision]") -> None:
    from sebench_tasks import build
    from sebench_tasks.filtering.decisions import Fate

    output.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(decision.as_record()) + "\n" for decision in decisions]
    (output / "decisions.jsonl").write_text("".join(lines), encoding="utf-8")
    build.write((decision.problem for decision in decisions if decision.fate is Fate.KEPT), output / "kept.jsonl")


def _record(decisions: "Sequence[Decision]") -> None:
    from sebench_tasks.build import SOURCES
    from sebench_tasks.filtering import records

    known = records.read(SOURCES)
    for decision in decisions:
        if decision.verdicts:
            counts = len(decision.verdicts), len(decision.solved_by)
            known[decision.problem.id] = records.updated(known, decision.problem, *counts)
    records.write(SOURCES, known.values())


def _report(
    decisions: "Sequence[Decision]",
    asked: "Mapping[str, Asked]",
    prices: "Mapping[str, tuple[float, float]]",
    output: Path,
) -> None:
    from collections import Counter

    from rich.console import Console
    from rich.table import Table

    from sebench_tasks.filtering.asking import tokens
    from sebench_tasks.filtering.decisions import Fate

    table = Table("solver", title=f"{len(decisions)} problems")
    for heading in ("answered", "solved", "failed requests", "tokens read", "written", "cost"):
        table.add_column(heading, justify="right")
    for name, found in asked.items():
        solved = sum(name in decision.solved_by for decision in decisions)
        read, written = tokens(found.answers.values())
        cells = (len(found.answers), solved, len(found.errors), read, written)
        table.add_row(name, *map(str, cells), _cost(read, written, prices.get(name)))
    console = Console()
    console.print(table)
    for decision in decisions:
        if decision.fate is Fate.DROPPED:
            typer.echo(f"{decision.problem.id}: dropped: {decision.reason}")
    for name, found in asked.items():
        for key, error in list(found.errors.items())[:3]:
            typer.echo(f"{name}: no answer to {key}: {error}", err=True)
    fates = Counter(decision.fate for decision in decisions)
    typer.echo(", ".join(f"{fates[fate]} {fate}" for fate in Fate) + f": {output / 'decisions.jsonl'}")


def _cost(read: int, written: int, price: "tuple[float, float] | None") -> str:
    return "unknown" if price is None else f"{(read * price[0] + written * price[1]) / 1e6:.2f}"

"""`sebench problems filter`: keep what independent solvers solve."""

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sebench_tasks.cli.options import MACHINERY_FAILED, Problems, Sandbox, installed_version, reported
from sebench_tasks.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.table import Table

    from sandbox.pool import Pool
    from sandbox.records import Verdict
    from sebench_tasks.filtering.asking import Asked, Questions
    from sebench_tasks.filtering.decisions import Decision
    from sebench_tasks.filtering.summary import SolverTotal
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
    attempts: Annotated[
        int, typer.Option(min=1, help="Answers of each solver to each problem, of which one must pass.")
    ] = 1,
    price: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL=IN,OUT", help="Cost of a million tokens read and written, to show what it cost."),
    ] = None,
    connections: Annotated[int, typer.Option(min=1, help="Requests at a time to each model.")] = 8,
    sandbox: Annotated[Sandbox, typer.Option(help="Where answers run.")] = Sandbox.AUTO,
    record: Annotated[
        bool, typer.Option("--record", help="Add who solved what to the project's own sources (solved.jsonl).")
    ] = False,
) -> None:
    """Keep the problems that several solvers solve in NumPy form, and say why others are dropped.

    A solver sees what a model sees in the numpy condition: statement, signature and one example. Its answers are
    written to FOLDER/answers/ as they come; the same command goes on where an earlier one ended, and asks again where a
    provider failed or a prompt has changed. FOLDER/decisions.jsonl says who solved what, FOLDER/filter.json what it
    took; FOLDER/kept.jsonl holds the problems that stay.

    The status is 3 while answers are missing that could change a decision.

    Examples:

    \b
      sebench problems filter --problems drafts.jsonl --solver openai/gpt-4o --solver hf/FOLDER --output filtered
      sebench problems filter --problems single_test --answers anna=a.jsonl --answers ben=b.jsonl --output filtered
    """
    from sebench_tasks import problems as problem_sets
    from sebench_tasks.filtering.decisions import Fate, decide
    from sebench_tasks.filtering.summary import solver_total

    known = problem_sets.load(problems, sandbox=sandbox.value)
    prices = {name: _price(text) for name, text in map(_named, price or [])}
    given = [_named(text) for text in answers or []]
    names = [*(solver or []), *(name for name, _ in given)]
    _check(names, prices, need or len(names), record and attempts > 1)
    questions = _questions(known, attempts)
    asked = {name: _given(Path(path), questions) for name, path in given}
    asked |= _ask(solver or [], questions, output, connections, sandbox.value)
    verdicts, run = _graded(known, asked, sandbox.value)
    decisions = [
        decide(problem, {name: verdicts[name, problem.id] for name in names}, need or len(names), attempts)
        for problem in known
    ]
    totals = {name: solver_total(name, asked[name], decisions, prices.get(name)) for name in names}
    run |= {"problem_set_hash": problem_sets.content_hash(known), "need": need or len(names), "attempts": attempts}
    _write(output, run, decisions, totals)
    if record:
        _record(decisions)
    _report(decisions, asked, totals, output)
    if any(decision.fate is Fate.UNDECIDED for decision in decisions):
        raise typer.Exit(MACHINERY_FAILED)


def _check(names: "Sequence[str]", prices: "Mapping[str, object]", need: int, recorded_attempts: bool) -> None:
    from sebench_tasks.errors import SourceError

    if not names or len(set(names)) < len(names):
        raise SourceError("name one or more solvers, each once, by --solver MODEL or --answers NAME=FILE")
    if need > len(names):
        raise SourceError(f"--need {need} cannot be met by {len(names)} solvers")
    if strangers := sorted(set(prices) - set(names)):
        raise SourceError(f"--price names {strangers[0]!r}, who is no solver here: {', '.join(names)}")
    if recorded_attempts:
        raise SourceError("--record counts solvers who pass at their first attempt: leave --attempts at 1")


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


def _questions(known: "Sequence[Problem]", attempts: int) -> "Questions":
    from sebench_tasks import prompts
    from sebench_tasks.filtering.asking import Questions
    from sebench_tasks.prompts import Condition
    from zwc.vocabulary import Vocabulary

    nothing = Vocabulary.default()  # the numpy condition shows no name of it
    return Questions({problem.id: prompts.build(problem, Condition.NUMPY, nothing) for problem in known}, attempts)


def _given(path: Path, questions: "Questions") -> "Asked":
    from sebench_tasks.errors import ResponseError
    from sebench_tasks.filtering.answers import fitting, read
    from sebench_tasks.filtering.asking import Asked

    everything = [answer for answer in read(path) if answer.id in questions.prompts]
    found = fitting(everything, questions.prompts)
    if outdated := len(everything) - len(found):
        typer.echo(f"{path}: {outdated} answers are to other wordings and do not count", err=True)
    if more := [answer for answer in found if answer.sample >= questions.attempts]:
        raise ResponseError(f"{path}: sample {more[0].sample} of {more[0].id!r}: --attempts is {questions.attempts}")
    return Asked(found)


def _ask(
    names: "Sequence[str]", questions: "Questions", output: Path, connections: int, sandbox: str
) -> "dict[str, Asked]":
    """Answers of models. Where they cannot be graded, or one of them does not exist, nobody is asked."""
    from sandbox.pool import Pool
    from sebench_tasks.filtering import asking

    if not names:
        return {}
    models = {name: asking.solver(name, connections) for name in names}
    with Pool(sandbox) as pool:
        pool.check()
    with _kept_on_interrupt(output), progress() as bar:
        total = len(questions.prompts) * questions.attempts
        tasks = {name: bar.add_task(f"Asking {name}", total=total) for name in names}
        folder = output / "answers"
        return asking.ask(models, questions, folder, connections, lambda name, count: bar.advance(tasks[name], count))


@contextmanager
def _kept_on_interrupt(output: Path) -> "Iterator[None]":
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"Answers are kept in {output / 'answers'}; the same command goes on after them.", err=True)
        raise


def _graded(
    known: "Sequence[Problem]", asked: "Mapping[str, Asked]", sandbox: str
) -> "tuple[dict[tuple[str, str], list[Verdict]], dict[str, Any]]":
    """Verdicts by solver and problem, in the order of samples, and what makes the run repeatable."""
    from sandbox.pool import Pool
    from sebench_tasks.grading_requests import grading_request
    from sebench_tasks.prompts import Condition

    by_id = {problem.id: problem for problem in known}
    order = [
        (name, answer)
        for name, found in asked.items()
        for answer in sorted(found.answers, key=lambda answer: (answer.id, answer.sample))
    ]
    verdicts: dict[tuple[str, str], list[Verdict]] = {(name, key): [] for name in asked for key in by_id}
    requests = (grading_request(by_id[answer.id], answer.response, Condition.NUMPY) for _, answer in order)
    with Pool(sandbox) as pool, progress() as bar:
        pool.check()
        task = bar.add_task("Grading", total=len(order))
        for (name, answer), verdict in zip(order, pool.grade_all(requests), strict=True):
            verdicts[name, answer.id].append(verdict)
            bar.advance(task)
        return verdicts, _run(pool)


def _run(pool: "Pool") -> "dict[str, Any]":
    from sebench_tasks.prompts import PROMPT_VERSION, Condition

    versions = {name: installed_version(name) for name in ("sebench-tasks", "inspect-ai")}
    return {"condition": Condition.NUMPY.value, "prompt_version": PROMPT_VERSION, **pool.provenance, **versions}


def _write(
    output: Path,
    run: "Mapping[str, Any]",
    decisions: "Sequence[Decision]",
    totals: "Mapping[str, SolverTotal]",
) -> None:
    from sebench_tasks import build
    from sebench_tasks.filtering import summary
    from sebench_tasks.filtering.decisions import Fate

    output.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(decision.as_record()) + "\n" for decision in decisions]
    (output / "decisions.jsonl").write_text("".join(lines), encoding="utf-8")
    text = json.dumps(summary.as_record(run, decisions, totals), indent=1) + "\n"
    (output / "filter.json").write_text(text, encoding="utf-8")
    build.write((decision.problem for decision in decisions if decision.fate is Fate.KEPT), output / "kept.jsonl")


def _record(decisions: "Sequence[Decision]") -> None:
    from sebench_tasks.build import SOURCES
    from sebench_tasks.filtering import records

    known = records.read(SOURCES)
    for decision in decisions:
        if decision.solved_by or decision.failed_by:
            results = decision.solved_by, decision.failed_by
            known[decision.problem.id] = records.updated(known, decision.problem, *results)
    records.write(SOURCES, known.values())


def _report(
    decisions: "Sequence[Decision]",
    asked: "Mapping[str, Asked]",
    totals: "Mapping[str, SolverTotal]",
    output: Path,
) -> None:
    from rich.console import Console

    from sebench_tasks.filtering.decisions import Fate
    from sebench_tasks.filtering.summary import fates

    Console().print(_table(len(decisions), totals))
    for decision in decisions:
        if decision.fate is Fate.DROPPED:
            typer.echo(f"{decision.problem.id}: dropped: {decision.reason}")
    for name, found in asked.items():
        for key, error in list(found.errors.items())[:3]:
            typer.echo(f"{name}: no answer to {key}: {error}", err=True)
    counts = ", ".join(f"{count} {fate}" for fate, count in fates(decisions).items())
    typer.echo(f"{counts}: {output / 'decisions.jsonl'}")


def _table(problems: int, totals: "Mapping[str, SolverTotal]") -> "Table":
    from rich.table import Table

    from sebench_tasks.filtering.summary import UNKNOWN

    table = Table("solver", title=f"{problems} problems")
    for heading in ("solved", "answers", "failed requests", "tokens read", "written", "cost"):
        table.add_column(heading, justify="right")
    for name, total in totals.items():
        tokens = (UNKNOWN if count is None else str(count) for count in (total.input_tokens, total.output_tokens))
        cost = UNKNOWN if total.cost is None else f"{total.cost:.4f}"
        counts = map(str, (total.solved, total.answers, total.failed_requests))
        table.add_row(name, *counts, *tokens, cost)
    return table

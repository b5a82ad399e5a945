"""The command line. Each module holds one group of commands; what is heavy is imported when a command runs."""

import typer

from sebench_tasks.cli import (
    doctor,
    gate,
    grade,
    image,
    official,
    oracle,
    paths,
    probe,
    problems,
    reference,
    report,
    vocabulary,
)

app = typer.Typer(
    name="sebench",
    help=(
        "SE-Bench: does a model know a library that it learned, or can it only read about it?\n\n"
        "First steps:\n\n"
        "\b\n"
        "  sebench doctor\n"
        "  sebench oracle --problems single_test --output oracle.jsonl\n"
        "  sebench grade oracle.jsonl --problems single_test"
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("doctor")(doctor.doctor)
app.command("grade")(grade.grade)
app.command("gate")(gate.gate)
app.command("report")(report.report)
app.command("oracle")(oracle.oracle)
app.add_typer(problems.app, name="problems")
app.add_typer(vocabulary.app, name="vocabulary")
app.add_typer(image.app, name="image")
app.add_typer(official.app, name="official")
app.command("reference")(reference.reference)
app.command("probe")(probe.probe)
app.command("tasks-path")(paths.tasks_path)

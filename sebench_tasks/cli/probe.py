"""`sebench probe`: whether a model already knows a vocabulary."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sebench_tasks.cli.options import parse_vocabulary, reported
from sebench_tasks.probe.model import Form

if TYPE_CHECKING:
    from rich.table import Table

    from sebench_tasks.probe.findings import Estimate, Finding
    from sebench_tasks.probe.run import Result

VOCABULARY_KNOWN = 4
_FEWEST_FUNCTIONS = 16
_NAMED = 12
_DOUBTFUL = 0.001
_EXPLAINED = {
    "name": "function to name",
    "meaning": "name to function",
    "call": "name in a call",
    "completion": "first letters to name",
}


@reported
def probe(
    model: Annotated[str, typer.Option(metavar="BACKEND", help="A model of lm-eval: hf, vllm, local-completions, …")],
    model_args: Annotated[
        str, typer.Option(metavar="ARGS", help="As for lm_eval, such as pretrained=CHECKPOINT,dtype=bfloat16.")
    ] = "",
    vocabulary: Annotated[
        list[str] | None,
        typer.Option(metavar="VOCABULARY", help="As for `sebench reference`; may be given several times."),
    ] = None,
    batch_size: Annotated[str, typer.Option(metavar="N|auto", help="As for lm_eval.")] = "8",
    device: Annotated[str | None, typer.Option(help="As for lm_eval, such as cpu or cuda:0.")] = None,
    chat: Annotated[
        bool, typer.Option("--apply-chat-template", help="Ask in a chat, by the model's template.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=_FEWEST_FUNCTIONS, help="Ask about so many functions, drawn at random.")
    ] = None,
    options: Annotated[int, typer.Option(min=3, max=20, help="Names among which the true one is ranked.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Draws functions, false names and the control vocabulary.")] = 0,
    form: Annotated[
        Form, typer.Option(help="auto: likelihood where the model gives log-likelihoods, else generation.")
    ] = Form.AUTO,
    max_tokens: Annotated[int, typer.Option(min=8, help="Longest response of the form generation, in tokens.")] = 64,
    use_cache: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep answers there to go on after an interruption. One per checkpoint."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Everything as JSON: figures, functions, versions.")
    ] = None,
) -> None:
    """Ask a model, without any reference, whether it knows the names of a vocabulary.

    It is asked to translate in both directions, to complete a call in code, and to complete names. What counts as
    chance is measured with the same model: other pairings of the same names, and the names of a control vocabulary
    from a seed that nobody knows. A p-value says how often chance does as well.

    The status is 0 if no vocabulary is known, 4 if one is known or partly known, 2 for wrong arguments or a model that
    cannot be opened, and 3 or 1 where something failed. An unknown vocabulary gives a false alarm in one of 100 probes.

    Examples:

    \b
      sebench probe --model hf --model-args pretrained=CHECKPOINT --batch-size 16
      sebench probe --model hf --model-args pretrained=CHECKPOINT --vocabulary seed:7 --limit 100
    """
    from sebench_tasks.errors import ProbeError
    from sebench_tasks.probe.model import Settings
    from sebench_tasks.probe.run import Design
    from sebench_tasks.probe.run import probe as ask

    if output and not output.parent.is_dir():
        raise ProbeError(f"--output {output}: there is no folder {output.parent}")
    words = [parse_vocabulary(name) for name in vocabulary or ["default"]]
    settings = Settings(model, model_args, batch_size, device, chat, form, max_tokens, use_cache)
    result = ask(words, settings, Design(limit, options, seed))
    for finding in result.findings:
        _report(finding)
    control = result.run["control"]
    typer.echo(f"\n{_noticed_text(result)}")
    typer.echo(f"Control {control['label']}; {result.run['pairs']} pairs scored in {result.run['seconds']:.0f} s.")
    if output:
        output.write_text(json.dumps(result.as_dict(), indent=1) + "\n", encoding="utf-8")
        typer.echo(f"Everything: {output}")
    if any(finding.knowledge != "none" for finding in result.findings):
        raise typer.Exit(VOCABULARY_KNOWN)


def _report(finding: "Finding") -> None:
    from rich.console import Console

    Console().print(_table(finding))
    typer.echo(f"Overall p {_p_text(finding.p_value)}; control {_p_text(finding.control_p_value)}.")
    typer.echo(
        f"Known, by translation: {_known_text(finding.translation)}; by completion: {_known_text(finding.completion)}."
    )
    typer.echo(f"Verdict on {finding.label}: {finding.text}")
    if finding.known:
        more = f" and {len(finding.known) - _NAMED} more" if len(finding.known) > _NAMED else ""
        typer.echo(f"Shown singly, one in 20 wrongly: {', '.join(finding.known[:_NAMED])}{more}")
    if finding.knowledge != "none":
        typer.echo("A library that it cannot know: sebench vocabulary new --seed N, then --vocabulary seed:N", err=True)
    if finding.control_p_value < _DOUBTFUL:
        typer.echo("The control looks known too, which it cannot be: repeat with another --seed.", err=True)


def _table(finding: "Finding") -> "Table":
    from rich.table import Table

    title = f"{finding.label}, fingerprint {finding.fingerprint}: {finding.asked} functions"
    table = Table("question", title=title)
    for heading in ("right", "by chance", "control", "p", "known (95%)"):
        table.add_column(heading, justify="right")
    for kind, found in finding.kinds.items():
        share = [value / finding.asked for value in (found.estimate.right, found.estimate.chance, found.control_right)]
        table.add_row(
            _EXPLAINED[kind],
            *(f"{value:.1%}" for value in share),
            _p_text(found.p_value),
            _known_text(found.estimate),
        )
    return table


def _p_text(value: float) -> str:
    return f"{value:.4f}"


def _known_text(estimate: "Estimate") -> str:
    return f"{estimate.known:.0f} ({estimate.low:.0f} to {estimate.high:.0f})"


def _noticed_text(result: "Result") -> str:
    """What the probe would have noticed, and so what its silence means."""
    asked = result.findings[0].asked
    recall, recognition = (
        "nothing" if limit is None else f"{limit} functions ({limit / asked:.0%})"
        for limit in (result.noticed.recall, result.noticed.recognition)
    )
    preferred = (
        f", {recognition} if it only prefers them to others" if result.run["model"]["form"] != "generation" else ""
    )
    return (
        f"Would notice, four times in five: {recall} if the model writes their names by itself{preferred}. "
        "Of less the probe says nothing."
    )

"""Rules about the target functions: they are called, the answers follow from them, and nothing else would do.

A mutant that gives the same answers is a fault unless the source of the problem lists its name under `equivalent`.
"""

from collections.abc import Iterator, Sequence

from sandbox.guest.witness import CONVERTERS
from sebench_tasks.checking import mutants, neighbours
from sebench_tasks.checking.faults import Fault
from sebench_tasks.checking.probes import Finding, Probe
from sebench_tasks.checking.texts import used
from sebench_tasks.problems import Problem
from zwc.catalog import load

MARGIN = 10.0
"""A mutant must miss a case by more than this many times the tolerance."""

_IDENTITIES = CONVERTERS | {"positive"}
"""Functions that may give their argument back: removing them need not show."""

_WAYS = ("1", "2", "3")

Question = tuple[str, str, Probe]
"""Rule, name and probe."""


def questions(problem: Problem) -> list[Question]:
    """What to ask about the targets of a problem."""
    spelled = used(problem.solution)
    asked: list[Question] = []
    for target in problem.functions:
        if target in spelled and target in load():
            asked += _about_target(target)
    return asked + [
        ("mutant", mutant.name, Probe("count", ("",), source=mutant.source, slack=MARGIN))
        for mutant in mutants.mutants(problem)
    ]


def faults(problem: Problem, asked: Sequence[Question], findings: Sequence[Finding]) -> Iterator[Fault]:
    """Faults that the answers to `questions` show."""
    survivors: set[str] = set()
    unmoved: dict[str, int] = {}
    for (rule, name, _), finding in zip(asked, findings, strict=True):
        if rule == "called":
            yield from _call_faults(problem, name, finding)
        elif rule == "altered":
            unmoved[name] = unmoved.get(name, 0) + (finding.case is None)
        elif finding.case is None:
            survivors.add(name)
    for target, count in unmoved.items():
        if count == len(_WAYS):
            yield Fault(problem.id, "target", f"other results of {target} give the same answers")
    yield from _mutant_faults(problem, survivors)


def _about_target(target: str) -> Iterator[Question]:
    yield "called", target, Probe("count", (target,))
    for way in _WAYS:
        yield "altered", target, Probe("alter", (target, way))
    if target not in _IDENTITIES:
        yield "mutant", f"{target} removed", Probe("remove", (target,), slack=MARGIN)
    for other in neighbours.neighbours(target):
        yield "mutant", f"{other} in place of {target}", Probe("replace", (target, other), slack=MARGIN)


def _call_faults(problem: Problem, target: str, finding: Finding) -> Iterator[Fault]:
    if finding.case is not None:
        text = f"case {finding.case}, run with calls of {target} counted, gives another answer: {finding.text}"
        yield Fault(problem.id, "target", text)
    elif 2 * finding.called < len(problem.cases):
        text = f"{target} is called in {finding.called} of {len(problem.cases)} cases, expected at least half"
        yield Fault(problem.id, "target", text)


def _mutant_faults(problem: Problem, survivors: set[str]) -> Iterator[Fault]:
    listed = set(problem.provenance.get("equivalent", ()))
    for name in sorted(survivors - listed):
        yield Fault(problem.id, "mutant", f"{name} gives the same answers")
    for name in sorted(listed - survivors):
        yield Fault(problem.id, "equivalent", f"no mutant that gives the same answers is named {name!r}")

"""Rules about answers that depend on what NumPy leaves open, on the machine, or on the last digits of a number.

The solution runs with results that are just as right (`perturbations`) and must give the same answers, within a small
part of the tolerance: then a solver's other way to compute passes too.
"""

from collections.abc import Iterator, Sequence

from sebench_tasks.checking import perturbations
from sebench_tasks.checking.faults import Fault
from sebench_tasks.checking.probes import Finding, Probe
from sebench_tasks.problems import Problem
from sebench_tasks.translation import names

MARGIN = 0.01
"""Part of the tolerance by which answers may move."""

_SEEDS = ("1", "-1", "2", "-2")

Question = tuple[str, Probe]
"""What the answers must not depend on, and the probe."""


def questions(problem: Problem) -> list[Question]:
    """What to ask about the stability of a problem's answers."""
    used = names.function_paths(problem.solution) | {name for name in perturbations.ORDERED if name in problem.solution}
    asked: list[Question] = []
    if used & perturbations.ORDERED:
        asked.append(("the order of ties or inside a partition", _probe("ties")))
    if used & perturbations.UNORDERED_VALUES:
        asked.append(("the order of eigenvalues or roots", _probe("order")))
    if used & perturbations.SIGNED:
        asked += [("signs of vectors", _probe("signs", step)) for step in ("1", "2")]
    asked += [("the last digits of results", _probe("noise", seed)) for seed in ("0", *_SEEDS)]
    return asked + [("the last digits of the given numbers", _probe("input", seed)) for seed in _SEEDS]


def faults(problem: Problem, asked: Sequence[Question], findings: Sequence[Finding]) -> Iterator[Fault]:
    """One fault for each thing that the answers depend on and must not."""
    named: set[str] = set()
    for (what, _), finding in zip(asked, findings, strict=True):
        if finding.case is not None and what not in named:
            named.add(what)
            yield Fault(problem.id, "stability", f"case {finding.case} depends on {what}: {finding.text}")


def _probe(kind: str, *arguments: str) -> Probe:
    return Probe(kind, arguments, slack=MARGIN)

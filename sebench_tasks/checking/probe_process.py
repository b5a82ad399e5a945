"""The other end of `probes`: runs solutions with the double in place of NumPy, one job a line."""

import functools
import marshal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any

from sandbox.comparison import agree, difference
from sandbox.records import Case, Tolerance
from sebench_tasks import numpy_runs
from sebench_tasks.checking import double, hooks, perturbations
from sebench_tasks.checking.double import Hook

HOOKS: dict[str, Callable[..., Hook]] = {
    "count": hooks.Count,
    "remove": hooks.Remove,
    "replace": hooks.Replace,
    "alter": hooks.Alter,
    "ties": lambda: perturbations.ties,
    "order": lambda: perturbations.order,
    "signs": perturbations.Signs,
    "noise": perturbations.Noise,
}
"""Makers of the hook of each kind of probe."""


def main() -> None:
    """Serve."""
    numpy_runs.serve(functools.partial(answer, limit_s=float(sys.argv[1])))


def answer(job: dict[str, Any], limit_s: float) -> list[list[Any]]:
    """The fields of a finding for each probe of a job, as `probes.encoded` made it."""
    relative, absolute = job["tolerance"]
    compiled = functools.cache(double.compiled)
    found = []
    for kind, arguments, source, slack in job["probes"]:
        seed = int(arguments[0]) if kind == "input" else 0
        text = source or job["source"]
        code = compiled(perturbations.noisy_source(text, seed) if seed else text)
        hook = hooks.Count("") if seed else HOOKS[kind](*arguments)
        tolerance = Tolerance(relative * slack, absolute * slack)
        found.append(_finding(code, job["entry_point"], _cases(job["cases"], seed), hook, tolerance, limit_s))
    return found


def _cases(records: Sequence[dict[str, Any]], seed: int) -> Iterator[Case]:
    """Cases, each with arguments of its own, since a solution may write into them; with noise if there is a seed."""
    for record in records:
        case = Case.from_record(marshal.loads(marshal.dumps(record)))
        arguments = {name: perturbations.noisy_input(value, seed) for name, value in case.arguments.items()}
        yield Case(arguments, case.expected) if seed else case


def _finding(
    code: CodeType, entry_point: str, cases: Iterator[Case], hook: Hook, tolerance: Tolerance, limit_s: float
) -> list[Any]:
    called = 0
    space = double.namespace(hook)
    try:
        exec(code, space)
    except Exception as error:
        return [1, _error(error), called]
    for number, case in enumerate(cases, 1):
        if isinstance(hook, hooks.Count):
            hook.called = False
        text = _difference(space[entry_point], case, tolerance, limit_s)
        called += getattr(hook, "called", False)
        if text:
            return [number, text, called]
    return [None, "", called]


def _difference(function: Any, case: Case, tolerance: Tolerance, limit_s: float) -> str:
    """How the answer differs from the expected one; empty if it does not."""
    try:
        with numpy_runs.time_limit(limit_s):
            value = numpy_runs.as_plain(function(**case.arguments))
    except Exception as error:
        return _error(error)
    return "" if agree(value, case.expected, tolerance) else difference(value, case.expected)


def _error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]


if __name__ == "__main__":
    main()

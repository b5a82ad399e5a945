"""Run NumPy-form solutions of known origin in a fresh Python process.

This is for solutions that the project ships or the user writes, not for answers of models nor for the data sets of
others: it limits time and memory, and isolates nothing.
"""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sebench_tasks.errors import BuildError
from zwc._wire import decode, encode

CASE_LIMIT_S = 5.0
MEMORY_LIMIT_BYTES = 4 << 30


@dataclass(frozen=True)
class Job:
    """A solution and the arguments of each call of its entry point."""

    source: str
    entry_point: str
    arguments: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class CaseOutcome:
    """What one call gave: a plain value, or the error. `plain` tells whether it held only Python's own types."""

    value: Any = None
    plain: bool = True
    error: str | None = None


def run(jobs: Sequence[Job], *, hash_seed: int = 0, limit_s: float = CASE_LIMIT_S) -> list[list[CaseOutcome]]:
    """Outcomes of all calls of all jobs, in order, from one fresh process; a call may take `limit_s` seconds.

    Raises:
        BuildError: the process itself died.
    """
    lines = [json.dumps(_encoded(job)) for job in jobs]
    paths = [str(Path(__file__).resolve().parent.parent), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONHASHSEED": str(hash_seed),
        "OPENBLAS_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "sebench_tasks.numpy_runs", str(limit_s)],
        input="\n".join(lines), capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    answers = done.stdout.splitlines()
    if done.returncode or len(answers) != len(jobs):
        raise BuildError(f"the NumPy process ended with status {done.returncode}: {done.stderr[-1000:]}")
    return [[_decoded(outcome) for outcome in json.loads(answer)] for answer in answers]


def _encoded(job: Job) -> dict[str, Any]:
    arguments = [{name: encode(value) for name, value in call.items()} for call in job.arguments]
    return {"source": job.source, "entry_point": job.entry_point, "arguments": arguments}


def _decoded(outcome: dict[str, Any]) -> CaseOutcome:
    if "error" in outcome:
        return CaseOutcome(error=outcome["error"])
    return CaseOutcome(value=decode(outcome["value"]), plain=outcome["plain"])


def _main() -> None:
    """Serve the other end: jobs on standard input, outcomes on standard output, one JSON text a line."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    signal.signal(signal.SIGALRM, _time_is_up)
    warnings.simplefilter("ignore")
    answers = sys.stdout
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        for line in sys.stdin:
            answers.write(json.dumps(_run_job(json.loads(line), float(sys.argv[1]))) + "\n")


def _run_job(job: dict[str, Any], limit_s: float) -> list[dict[str, Any]]:
    namespace: dict[str, Any] = {"__name__": "solution"}
    try:
        with _time_limit(limit_s):
            exec(compile(job["source"], "solution.py", "exec"), namespace)
        function = namespace[job["entry_point"]]
    except Exception as error:
        return [_error(error)] * len(job["arguments"])
    return [_call(function, arguments, limit_s) for arguments in job["arguments"]]


def _call(function: Any, arguments: dict[str, Any], limit_s: float) -> dict[str, Any]:
    try:
        with _time_limit(limit_s):
            value = function(**{name: decode(value) for name, value in arguments.items()})
        plain = as_plain(value)
        return {"value": encode(plain), "plain": _only_builtins(value)}
    except Exception as error:
        return _error(error)


def _error(error: Exception) -> dict[str, Any]:
    return {"error": f"{type(error).__name__}: {error}"[:500]}


def as_plain(value: Any) -> Any:
    """A value with its arrays as nested lists and NumPy scalars as Python scalars, inside containers too."""
    import numpy as np

    if isinstance(value, np.ndarray | np.generic):
        return as_plain(value.tolist())
    if isinstance(value, list):
        return [as_plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(as_plain(item) for item in value)
    if isinstance(value, dict):
        return {as_plain(key): as_plain(item) for key, item in value.items()}
    return value


def _only_builtins(value: Any) -> bool:
    if type(value) is list:
        return all(_only_builtins(item) for item in value)
    return type(value) in (int, float, bool, complex)


@contextlib.contextmanager
def _time_limit(limit_s: float) -> Iterator[None]:
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _time_is_up(*_: Any) -> None:
    raise TimeoutError("no answer within the time limit")


if __name__ == "__main__":
    _main()

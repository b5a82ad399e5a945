"""Run NumPy-form solutions of known origin in a fresh Python process.

This is for solutions that the project ships or the user writes, not for answers of models nor for the data sets of
others: it limits time and memory, and isolates nothing.
"""

import contextlib
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sebench_tasks.errors import BuildError
from zwc._wire import decode, encode

CASE_LIMIT_S = 5.0
MEMORY_LIMIT_BYTES = 4 << 30
_LINES_WORTH_A_PROCESS = 20
_IDLE_FACTOR = 20
"""By how much the clock may outrun the processor time of a call, on a busy machine."""


@dataclass(frozen=True)
class Job:
    """A solution and the arguments of each call of its entry point."""

    source: str
    entry_point: str
    arguments: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class CaseOutcome:
    """What one call gave: a plain value, or the error. `plain` tells whether it held only Python's own types.

    `seconds` is processor time; `memory_bytes` the most that the call held at once, measured in traced runs only.
    """

    value: Any = None
    plain: bool = True
    error: str | None = None
    seconds: float = 0.0
    memory_bytes: int = 0


def run(
    jobs: Sequence[Job], *, hash_seed: int = 0, limit_s: float = CASE_LIMIT_S, threads: int = 1, traced: bool = False
) -> list[list[CaseOutcome]]:
    """Outcomes of all calls of all jobs, in order, from fresh processes; a call may take `limit_s` seconds of
    processor time.

    Args:
        hash_seed: of the processes, so that two runs can order sets differently.
        threads: how many the libraries of linear algebra may use.
        traced: measure the memory of each call, which takes time.

    Raises:
        BuildError: a process itself died.
    """
    lines = [json.dumps(_encoded(job)) for job in jobs]
    options = [str(limit_s), "traced" if traced else "plain"]
    answers = through("sebench_tasks.numpy_runs", lines, options, hash_seed=hash_seed, threads=threads)
    return [[_decoded(outcome) for outcome in json.loads(answer)] for answer in answers]


def through(
    module: str, lines: Sequence[str], options: Sequence[str], *, hash_seed: int = 0, threads: int = 1
) -> list[str]:
    """The line with which `module`, run in fresh processes, answers each line on its standard input, in order.

    Raises:
        BuildError: a process died or left lines without an answer.
    """
    processes = max(1, min(os.cpu_count() or 1, len(lines) // _LINES_WORTH_A_PROCESS))
    command = [sys.executable, "-m", module, *options]
    environment = _environment(hash_seed, threads)
    with ThreadPoolExecutor(processes) as pool:
        parts = list(pool.map(lambda n: _answers(command, lines[n::processes], environment), range(processes)))
    return [parts[number % processes][number // processes] for number in range(len(lines))]


def _environment(hash_seed: int, threads: int) -> dict[str, str]:
    paths = [str(Path(__file__).resolve().parent.parent), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONHASHSEED": str(hash_seed),
        "OPENBLAS_NUM_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
    }


def _answers(command: Sequence[str], lines: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, env=environment, check=False)
    answers = done.stdout.splitlines()
    if done.returncode or len(answers) != len(lines):
        raise BuildError(f"the NumPy process ended with status {done.returncode}: {done.stderr[-1000:]}")
    return answers


def _encoded(job: Job) -> dict[str, Any]:
    arguments = [{name: encode(value) for name, value in call.items()} for call in job.arguments]
    return {"source": job.source, "entry_point": job.entry_point, "arguments": arguments}


def _decoded(outcome: dict[str, Any]) -> CaseOutcome:
    if "error" in outcome:
        return CaseOutcome(error=outcome["error"])
    return CaseOutcome(
        decode(outcome["value"]), outcome["plain"], seconds=outcome["seconds"], memory_bytes=outcome["memory_bytes"]
    )


def _main() -> None:
    limit_s, traced = float(sys.argv[1]), sys.argv[2] == "traced"
    serve(lambda job: _run_job(job, limit_s), traced=traced)


def serve(answer: Callable[[dict[str, Any]], Any], *, traced: bool = False) -> None:
    """Be the other end of `through`: JSON texts on standard input, their answers on standard output, one a line."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    importlib.import_module("numpy.ma")  # which NumPy loads when first needed: not in the time of a call
    if traced:
        tracemalloc.start()
    signal.signal(signal.SIGPROF, _time_is_up)
    signal.signal(signal.SIGALRM, _time_is_up)
    warnings.simplefilter("ignore")
    answers = sys.stdout
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        for line in sys.stdin:
            answers.write(json.dumps(answer(json.loads(line))) + "\n")


def _run_job(job: dict[str, Any], limit_s: float) -> list[dict[str, Any]]:
    namespace: dict[str, Any] = {"__name__": "solution"}
    try:
        with time_limit(limit_s):
            exec(compile(job["source"], "solution.py", "exec"), namespace)
        function = namespace[job["entry_point"]]
    except Exception as error:
        return [_error(error)] * len(job["arguments"])
    return [_call(function, arguments, limit_s) for arguments in job["arguments"]]


def _call(function: Any, arguments: dict[str, Any], limit_s: float) -> dict[str, Any]:
    given = {name: decode(value) for name, value in arguments.items()}
    tracemalloc.reset_peak()
    held, started = tracemalloc.get_traced_memory()[0], time.process_time()
    try:
        with time_limit(limit_s):
            value = function(**given)
        used = {
            "seconds": time.process_time() - started,
            "memory_bytes": tracemalloc.get_traced_memory()[1] - held,
        }
        return {"value": encode(as_plain(value)), "plain": _only_builtins(value), **used}
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
def time_limit(limit_s: float) -> Iterator[None]:
    """Raise TimeoutError in the block after `limit_s` seconds of processor time, or far more by the clock.

    Works in a process that `serve` prepared.
    """
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    signal.setitimer(signal.ITIMER_REAL, limit_s * _IDLE_FACTOR)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _time_is_up(*_: Any) -> None:
    raise TimeoutError("no answer within the time limit")


if __name__ == "__main__":
    _main()

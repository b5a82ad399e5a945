"""How lm-eval runs code in its own code tasks: the metric `code_eval`, in a process that has lm-eval and torch loaded.

    code_eval.py WORKERS [--together]

lm-eval calls the metric once per document and so runs one solution at a time; `--together` gives it all at once.

The metric's script comes from a hub. Where it cannot be had, a stand-in of our own does what the metric is known to
do: for each solution a thread, which starts a manager process for the result and, by fork, a child that runs the code
under a timer with its output swallowed, in a temporary folder.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from _protocol import NotMeasuredError, Prepared, Program, serve

_TIMEOUT_S = 3.0
_forking = multiprocessing.get_context("fork")


def _text(program: Program) -> str:
    """The program with its cases as code that ends without an error."""
    calls = [
        f"try:\n    repr({program['entry_point']}(**{case}))\nexcept Exception:\n    pass" for case in program["cases"]
    ]
    return "\n".join((program["code"], "nan, inf = float('nan'), float('inf')", *calls))


def _execute(text: str, result: Any) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        signal.setitimer(signal.ITIMER_REAL, _TIMEOUT_S)
        try:
            exec(text, {})
            result.append("passed")
        except BaseException as error:
            result.append(f"failed: {error}")


def _stand_in(text: str) -> bool:
    with _forking.Manager() as manager:
        result = manager.list()
        child = _forking.Process(target=_execute, args=(text, result))
        child.start()
        child.join(_TIMEOUT_S + 1)
        if child.is_alive():
            child.kill()
            child.join()
        return list(result) == ["passed"]


def _metric() -> Any:
    """The metric, or None where its script cannot be had."""
    os.environ["HF_ALLOW_CODE_EVAL"] = "1"
    try:
        import evaluate

        return evaluate.load("code_eval")
    except (ImportError, OSError):
        return None


def _prepare() -> Prepared:
    try:
        import lm_eval.models.huggingface  # noqa: F401  (as large as a process that evaluates, which forks as slowly)
    except ImportError as error:
        raise NotMeasuredError(f"lm-eval is not installed ({error})") from error
    metric = _metric()
    workers = int(sys.argv[1]) if "--together" in sys.argv else 1
    if metric is None:
        return Prepared(_with_stand_in(workers), " (a stand-in: its script cannot be had here)")
    return Prepared(_with_metric(metric, workers))


def _with_stand_in(workers: int) -> Callable[[Sequence[Program]], int]:
    threads = ThreadPoolExecutor(workers)
    return lambda batch: sum(threads.map(_stand_in, map(_text, batch)))


def _with_metric(metric: Any, workers: int) -> Callable[[Sequence[Program]], int]:
    def compute(texts: list[str]) -> int:
        _, details = metric.compute(
            references=[""] * len(texts),
            predictions=[[text] for text in texts],
            k=[1],
            num_workers=workers,
            timeout=_TIMEOUT_S,
        )
        return sum(outcome["passed"] for [(_, outcome)] in details.values())

    def work(batch: Sequence[Program]) -> int:
        texts = [_text(program) for program in batch]
        return compute(texts) if workers > 1 else sum(compute([text]) for text in texts)

    return work


if __name__ == "__main__":
    manner = "all at once" if "--together" in sys.argv else "one call per document"
    serve(f"lm-eval's code_eval, {manner}", _prepare)

"""Solutions per second, side by side in one run: the warm pool, a fresh Python with NumPy each, and the floor.

    python benchmarks/bench_throughput.py [--sandbox bwrap] [--rounds 3]

All three run the same problems: the part of the official data beside the checkout, else the project's own. The pool
grades the oracle's answers fully, dependence run included. "fresh" starts one Python per solution that imports NumPy
and runs the NumPy form, as the reference implementation does. "floor" forks a process that has NumPy loaded, runs the
NumPy form and compares nothing: what no isolation at all would cost. All use as many workers as there are processors.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from sandbox.pool import Pool
from sebench_tasks import oracle, problems
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition
from zwc.vocabulary import Vocabulary

OFFICIAL = Path(__file__).resolve().parents[2] / "shared" / "official"
WORKERS = len(os.sched_getaffinity(0))

RUN_JOB = """
import json, os, sys
import numpy
NAMES = {"nan": float("nan"), "inf": float("inf")}
def run(line):
    job = json.loads(line)
    namespace = {}
    exec(job["code"], namespace)
    for case in job["cases"]:
        try:
            namespace[job["entry_point"]](**eval(case, NAMES))
        except Exception:
            pass
"""
FRESH = f"{RUN_JOB}\nrun(sys.stdin.read())\n"
FLOOR = f"""{RUN_JOB}
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        try:
            run(line)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
"""


def load() -> tuple[str, list[Problem], Vocabulary]:
    """Name, problems and vocabulary of what is measured."""
    if OFFICIAL.is_dir():
        source = f"official:{OFFICIAL / 'single_test_part.jsonl'}"
        return "official part", problems.load(source), Vocabulary.from_official(OFFICIAL / "api_doc.jsonl")
    return "own problems", problems.load("all"), Vocabulary.default()


def jobs(chosen: Sequence[Problem]) -> list[str]:
    """One JSON line per problem for the two that run NumPy directly."""
    return [
        json.dumps(
            {
                "code": problem.solution,
                "entry_point": problems.entry_point(problem.signature),
                "cases": [repr(dict(case.arguments)) for case in problem.cases],
            }
        )
        for problem in chosen
    ]


def fresh(lines: Sequence[str]) -> None:
    """One Python process per solution."""

    def one(line: str) -> None:
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", FRESH], input=line, text=True, capture_output=True, check=False
        )

    with ThreadPoolExecutor(WORKERS) as threads:
        list(threads.map(one, lines))


def floor(lines: Sequence[str]) -> None:
    """Forks of processes that have NumPy loaded."""
    shares = [lines[index::WORKERS] for index in range(WORKERS)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", FLOOR],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _ in shares
    ]
    with ThreadPoolExecutor(WORKERS) as threads:
        list(threads.map(lambda pair: pair[0].communicate("\n".join(pair[1])), zip(processes, shares, strict=True)))


def per_second(count: int, work: Callable[[], object]) -> float:
    """Rate of `work`, which handles `count` solutions."""
    started = time.perf_counter()
    work()
    return count / (time.perf_counter() - started)


def main() -> None:
    """Measure in turn, several rounds, and print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    name, chosen, vocabulary = load()
    answers = [oracle.answer(problem, vocabulary, Condition.CLOSED) for problem in chosen]
    requests = [grading_request(p, answer, Condition.CLOSED) for p, answer in zip(chosen, answers, strict=True)]
    lines = jobs(chosen)
    rates: dict[str, list[float]] = {"pool": [], "fresh": [], "floor": []}
    with Pool(options.sandbox, vocabulary) as pool:
        passed = sum(verdict.passed for verdict in pool.grade_all(requests))
        for _ in range(options.rounds):
            rates["pool"].append(per_second(len(requests), lambda: list(pool.grade_all(requests))))
            rates["fresh"].append(per_second(len(lines), lambda: fresh(lines)))
            rates["floor"].append(per_second(len(lines) * 4, lambda: floor(lines * 4)))
        backend = pool.launcher.name
    middle = {kind: median(values) for kind, values in rates.items()}
    print(f"{name}: {len(chosen)} solutions, {passed} pass; {backend}, {WORKERS} workers, {options.rounds} rounds")
    for kind, rate in middle.items():
        print(f"  {kind:6} {rate:8.1f} solutions/s   pool is {middle['pool'] / rate:6.2f} times this")


if __name__ == "__main__":
    main()

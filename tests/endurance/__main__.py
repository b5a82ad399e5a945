"""Grades very many responses through one pool and shows what grows; then the same set under load.

    python -m tests.endurance --sandbox bwrap --gradings 50000
    python -m tests.endurance --sandbox docker --gradings 0 --rounds 50

Exits with 1 if a gauge grows beyond its bound, a verdict is wrong or varies that must not, or anything is left behind.
Progress goes to standard error, one reading a line. The process starts itself anew with a plain allocator: what the C
library keeps after large answers would hide a leak.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time

from tests.endurance import responses, trend
from tests.endurance.runs import Endured, Plan, endure, repeat_under_load
from tests.endurance.verdicts import Verdicts

_PLAIN_ALLOCATOR = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "131072"}


def main() -> None:
    """Run what the options ask for."""
    options = _options()
    if _PLAIN_ALLOCATOR.items() - os.environ.items():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **_PLAIN_ALLOCATOR})
    sound = True
    if options.gradings:
        sound &= _endure(options)
    if options.rounds:
        sound &= _repeat(options)
    sys.exit(0 if sound else 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sandbox", default="bwrap")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--gradings", type=int, default=50_000)
    parser.add_argument("--batch", type=int, default=500, help="gradings between two readings")
    parser.add_argument("--minutes", type=float, default=600.0, help="end earlier, after so much time")
    parser.add_argument("--rounds", type=int, default=0, help="then grade one set so many times under load")
    return parser.parse_args()


def _endure(options: argparse.Namespace) -> bool:
    started = time.monotonic()

    def go_on(done: int, reading: dict[str, float]) -> bool:
        seconds = time.monotonic() - started
        rounded = {gauge: round(value, 1) for gauge, value in reading.items()}
        print(json.dumps({"gradings": done, "seconds": round(seconds), **rounded}), file=sys.stderr, flush=True)
        return seconds < 60 * options.minutes

    plan = Plan(options.sandbox, options.gradings, options.batch, options.workers)
    found = endure(plan, responses.load(), go_on)
    print(_report(options.sandbox, found))
    return found.sound


def _report(sandbox: str, found: Endured) -> str:
    rate = found.gradings / found.seconds
    lines = [
        f"{sandbox}: {found.gradings} gradings in {found.seconds:.0f} s ({rate:.1f}/s), "
        f"{found.guests_started} guests started",
        trend.table(found.trends),
        f"left behind: {found.left or 'nothing'}",
        *_verdict_lines(found.verdicts),
    ]
    return "\n".join(lines)


def _repeat(options: argparse.Namespace) -> bool:
    chosen = responses.steady(responses.load())
    started = time.monotonic()
    verdicts = repeat_under_load(options.sandbox, options.workers, chosen, options.rounds)
    seconds = time.monotonic() - started
    print(f"{options.sandbox}: {len(chosen)} responses, {options.rounds} rounds under load in {seconds:.0f} s")
    print("\n".join(_verdict_lines(verdicts)))
    return not verdicts.wrong() and not verdicts.varying()


def _verdict_lines(verdicts: Verdicts) -> list[str]:
    return [
        f"wrong verdicts: {verdicts.wrong() or 'none'}",
        *(f"  {detail}" for detail in verdicts.wrong_details),
        f"verdicts that vary: {verdicts.varying() or 'none'}",
    ]


if __name__ == "__main__":
    main()

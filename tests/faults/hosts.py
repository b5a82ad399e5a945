"""Host processes that grade until somebody ends them, and how to start them.

python -m tests.faults.hosts SANDBOX VOCABULARY TIMES: print `ready`, then the verdicts on the batch as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from sandbox.pool import Pool
from tests.faults.batch import requests
from tests.faults.leftovers import Leftovers
from zwc.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parents[2]


def start(command: list[str], leftovers: Leftovers) -> subprocess.Popen[str]:
    """Start a program as a terminal does: in a process group of its own, and SIGINT not ignored."""
    process = subprocess.Popen(
        ["env", "--default-signal=INT", *command],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    leftovers.hosts.add(process.pid)
    return process


def start_grading(
    sandbox: str, leftovers: Leftovers, vocabulary: str = "default", times: int = 1
) -> subprocess.Popen[str]:
    """A host that grades the batch `times` times."""
    command = [sys.executable, "-m", "tests.faults.hosts", sandbox, vocabulary, str(times)]
    return start(command, leftovers)


def end(process: subprocess.Popen[str], number: signal.Signals, timeout_s: float = 30.0) -> tuple[str, str]:
    """Send the signal to the whole group and wait; what the program had printed and complained of."""
    os.killpg(process.pid, number)
    return process.communicate(timeout=timeout_s)


def main() -> None:
    """Grade as the arguments say."""
    sandbox, vocabulary, times = sys.argv[1:]
    with Pool(sandbox, Vocabulary.parse(vocabulary), workers=2) as pool:
        print("ready", flush=True)
        batch = requests(pool.vocabulary) * int(times)
        print(json.dumps([verdict.outcome.value for verdict in pool.grade_all(batch)]))


if __name__ == "__main__":
    main()

"""Another way to run the same solutions, in NumPy form: a program in `rivals/` that times the batches it gets."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sebench_tasks.problems import Problem

_FOLDER = Path(__file__).resolve().parent / "rivals"
Program = dict[str, Any]


def programs(chosen: Sequence[Problem], codes: Sequence[str]) -> list[Program]:
    """What a rival runs: code, entry point, and each case's arguments as a Python literal."""
    return [
        {
            "code": code,
            "entry_point": problem.entry_point,
            "cases": [repr(dict(case.arguments)) for case in problem.cases],
        }
        for problem, code in zip(chosen, codes, strict=True)
    ]


class Rival:
    """One program, started once and warm from then on.

    `what` says what it does; `not_measured` why it does nothing here, if so. `most` programs are as many as it should
    get of a batch, `repeats` times over. One that dies raises RuntimeError: a failure is no measurement.
    """

    def __init__(self, name: str, *options: str, most: int | None = None, repeats: int = 1) -> None:
        self._name = name
        self.most = most
        self.repeats = repeats
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  (closed by __exit__)
        self._process = subprocess.Popen(
            [sys.executable, str(_FOLDER / f"{name}.py"), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        hello = self._answer()
        self.what: str = hello["what"]
        self.not_measured: str | None = hello["not_measured"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        self._log.close()

    def rate(self, batch: Sequence[Program]) -> tuple[float, float]:
        """Solutions per second, and the share of those run that gave an answer to every case.

        A program without code is not run, and counts.
        """
        run = [program for program in batch if program["code"]]
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(run) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        return len(batch) / answer["seconds"], answer["answered"] / len(run)

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._log.seek(0)
            raise RuntimeError(f"{self._name} failed: {self._log.read().strip()[-2000:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer

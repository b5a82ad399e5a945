"""The conversation of a rival with the benchmark: what it is, then a time for each batch of programs."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Program = dict[str, Any]


class NotMeasuredError(Exception):
    """This rival does not run here; the text says why."""


class Prepared(NamedTuple):
    """What runs a batch and answers how many programs gave something for each case, and what to say of it."""

    work: Callable[[Sequence[Program]], int]
    note: str = ""


def serve(what: str, prepare: Callable[[], Prepared]) -> None:
    """Prepare, then for each line of standard input (a JSON list of programs) run them and say how long it took.

    Standard output is the conversation's alone: what a library prints goes to standard error.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        work, note = prepare()
    except NotMeasuredError as error:
        _say(answers, what=what, not_measured=str(error))
        return
    _say(answers, what=what + note, not_measured=None)
    for line in sys.stdin:
        batch = json.loads(line)
        started = time.perf_counter()
        answered = work(batch)
        _say(answers, seconds=time.perf_counter() - started, answered=answered)


def _say(answers: Any, **message: Any) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()

"""Grading: from a response to a verdict. Nobody else decides what counts as correct."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from dataclasses import replace

from sandbox import chance
from sandbox.comparison import agree, difference
from sandbox.extraction import extract_code
from sandbox.guests import FIRST_CASES, Ended, Failed, Job, Returned, RunRecord
from sandbox.policy import judge
from sandbox.records import GradingRequest, Library, Limits, Outcome, Verdict
from zwc import _wire

Runner = Callable[[Job], RunRecord]
_MISUSE = {
    "unknown_function": Outcome.UNKNOWN_FUNCTION,
    "unknown_attribute": Outcome.UNKNOWN_ATTRIBUTE,
    "bad_signature": Outcome.BAD_SIGNATURE,
    "memory_limit": Outcome.MEMORY_LIMIT,
    "no_entry_point": Outcome.NO_CODE,
    "syntax_error": Outcome.SYNTAX_ERROR,
    "unfit": Outcome.WRONG_ANSWER,
}
_ALTERATIONS = (1, 2)
_SIGNALS = {member.value: member.name for member in signal.Signals}  # most real-time signals have no name


def grade(request: GradingRequest, run: Runner, limits: Limits) -> Verdict:
    """Grade one response; `run` executes a job in a fresh process of a guest.

    Raises SandboxError if the machinery fails; a fault of the response is a verdict.
    """
    code = extract_code(request.response, request.entry_point)
    if code is None:
        return _unrun(request, Outcome.NO_CODE, "no code that defines " + request.entry_point, "")
    judged = judge(code, request.library)
    if judged is not None:
        return _unrun(request, *judged, code)
    job = Job(
        code=code,
        entry_point=request.entry_point,
        cases=[{name: _wire.encode(value) for name, value in case.arguments.items()} for case in request.cases],
        targets=request.targets,
        numpy=request.library is Library.NUMPY,
    )
    return _run_and_judge(request, job, run, limits)


def _unrun(request: GradingRequest, outcome: Outcome, detail: str, code: str) -> Verdict:
    return Verdict(outcome, 0, len(request.cases), detail=detail, code=code)


def _run_and_judge(request: GradingRequest, job: Job, run: Runner, limits: Limits) -> Verdict:
    """The plain run and, for what passed, the dependence runs; the first two in random order."""
    if job.numpy:
        return _judge_record(request, job, run(job), limits)
    altered_first = run(_glance(job, _ALTERATIONS[0])) if random.random() < 0.5 else None
    plain = run(job)
    verdict = _judge_record(request, job, plain, limits)
    if not verdict.passed:
        return verdict
    if not verdict.functions_called:
        return replace(verdict, outcome=Outcome.ANSWER_INDEPENDENT, detail="no function of zwc was called")
    for alteration in _ALTERATIONS:
        whole = replace(job, alteration=alteration)
        glance = (altered_first if alteration == _ALTERATIONS[0] else None) or run(_glance(job, alteration))
        if _differs(request, plain, glance, min(FIRST_CASES, len(job.cases)), limits) or (
            len(job.cases) > FIRST_CASES and _differs(request, plain, run(whole), len(job.cases), limits)
        ):
            if not chance.possible(job.code):
                return verdict
            return _confirmed(request, whole, verdict, run, limits)
    detail = "the answers stay the same when the results of zwc change"
    return replace(verdict, outcome=Outcome.ANSWER_INDEPENDENT, detail=detail)


def _glance(job: Job, alteration: int) -> Job:
    """The altered run of the first cases. One answer that differs is enough, and most often it is among these."""
    return replace(job, alteration=alteration, cases=job.cases[:FIRST_CASES])


def _differs(request: GradingRequest, plain: RunRecord, altered: RunRecord, cases: int, limits: Limits) -> bool:
    """Whether the altered run of the first `cases` shows that the answers come from zwc.

    Running out of time shows it only if the plain run was far from the limit: else the clock may have decided.
    """
    stopped = _stopped(altered, limits)
    if stopped is not None and stopped[0] is Outcome.TIMEOUT:
        return plain.wall_s < limits.wall_s / 2 and plain.solution.cpu_s < limits.cpu_s / 2
    return not _all_agree(request, altered, cases)


def _confirmed(request: GradingRequest, altered: Job, verdict: Verdict, run: Runner, limits: Limits) -> Verdict:
    """The passing verdict if it holds once more: plain Python that fails by chance would look dependent.

    A second plain run must pass and a second altered run must not; the order is random.
    """
    for job in random.sample((altered, replace(altered, alteration=0)), 2):
        record = run(job)
        if job.alteration and _all_agree(request, record, len(job.cases)):
            return replace(verdict, outcome=Outcome.ANSWER_INDEPENDENT, detail="depends on zwc in some runs only")
        again = _judge_record(request, job, record, limits)
        if not job.alteration and not again.passed:
            return replace(again, detail=f"passes in some runs only: {again.detail}")
    return verdict


def _all_agree(request: GradingRequest, record: RunRecord, cases: int) -> bool:
    return all(_case_outcome(request, record, index)[0] is Outcome.PASSED for index in range(cases))


def _judge_record(request: GradingRequest, job: Job, record: RunRecord, limits: Limits) -> Verdict:
    outcomes = [_case_outcome(request, record, index) for index in range(len(request.cases))]
    passed = sum(outcome is Outcome.PASSED for outcome, _ in outcomes)
    outcome, detail = _stopped(record, limits) or next(
        (pair for pair in outcomes if pair[0] is not Outcome.PASSED), (Outcome.PASSED, "")
    )
    called = tuple(sorted((record.witness or {}).get("succeeded", {})))
    return Verdict(
        outcome=outcome,
        cases_passed=passed,
        cases=len(request.cases),
        functions_called=called,
        targets_called=tuple(name for name in called if name in request.targets),
        seconds=round(record.wall_s, 4),
        detail=_printable(_with_output(detail, record)),
        code=job.code,
    )


def _stopped(record: RunRecord, limits: Limits) -> tuple[Outcome, str] | None:
    """The outcome of a run that did not go its own way to the end, or None."""
    if record.stopped == "output":
        return Outcome.OUTPUT_LIMIT, "printed or returned too much"
    if record.stopped == "wall":
        return Outcome.TIMEOUT, f"no end after {limits.wall_s:g} s"
    if (record.witness or {}).get("guessing"):
        return Outcome.UNKNOWN_FUNCTION, "asked for very many names that do not exist"
    if (record.witness or {}).get("exhausted"):
        return Outcome.MEMORY_LIMIT, "zwc ran out of memory"
    for ended in (record.solution, record.kernel):
        if ended is not None and _out_of_time(ended, limits):
            return Outcome.TIMEOUT, f"used {limits.cpu_s:g} s of CPU time"
    loading = record.results.get(-1)
    if isinstance(loading, Failed):
        return _failure(loading, record)
    if record.malformed:
        return Outcome.CRASHED, record.malformed
    if record.kernel is not None and record.kernel.status != 0:
        return Outcome.CRASHED, f"zwc ended by {_ending(record.kernel)}"
    return None


def _case_outcome(request: GradingRequest, record: RunRecord, index: int) -> tuple[Outcome, str]:
    result = record.results.get(index)
    if result is None:
        return Outcome.CRASHED, f"no answer to case {index}: the process ended by {_ending(record.solution)}"
    if isinstance(result, Failed):
        outcome, detail = _failure(result, record)
        return outcome, f"case {index}: {detail}"
    assert isinstance(result, Returned)
    case = request.cases[index]
    if any(agree(result.value, right, request.tolerance) for right in (case.expected, *case.alternatives)):
        return Outcome.PASSED, ""
    return Outcome.WRONG_ANSWER, f"case {index}: {difference(result.value, case.expected)}"


def _failure(failed: Failed, record: RunRecord) -> tuple[Outcome, str]:
    """The outcome for an error that the solution's process reported; the kernel's witness must bear it out."""
    outcome = _MISUSE.get(failed.kind, Outcome.RUNTIME_ERROR)
    witness = record.witness or {}
    if outcome is Outcome.UNKNOWN_FUNCTION and not (witness.get("unknown") or witness.get("starred")):
        outcome = Outcome.RUNTIME_ERROR
    if outcome is Outcome.BAD_SIGNATURE and not witness.get("misused"):
        outcome = Outcome.RUNTIME_ERROR
    return outcome, failed.text


def _out_of_time(ended: Ended, limits: Limits) -> bool:
    if not os.WIFSIGNALED(ended.status):
        return False
    number = os.WTERMSIG(ended.status)
    return number == signal.SIGXCPU or (number == signal.SIGKILL and ended.cpu_s >= limits.cpu_s / 2)


def _ending(ended: Ended) -> str:
    if os.WIFSIGNALED(ended.status):
        number = os.WTERMSIG(ended.status)
        return f"signal {_SIGNALS.get(number, number)}"
    return f"exit {os.WEXITSTATUS(ended.status)}"


def _printable(text: str) -> str:
    """The text without what a terminal, a log or UTF-8 stumbles over; a solution can put anything into it."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii") for c in text)


def _with_output(detail: str, record: RunRecord) -> str:
    printed = record.output.strip()
    return f"{detail}; printed: {printed[-200:]}" if detail and printed else detail

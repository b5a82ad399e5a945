"""The pool: warm guests that grade in parallel. Bounded, and safe to use from several threads and event loops."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from sandbox.errors import GuestDied, SandboxError, SandboxUnavailable
from sandbox.grader import AHEAD, Grader
from sandbox.grading import grade
from sandbox.guests import Guest, Job, Returned, RunRecord
from sandbox.launchers import Launcher, make
from sandbox.records import GradingRequest, Limits, Outcome, Verdict
from zwc import catalog
from zwc.vocabulary import Vocabulary

_STARTS = 3
_PROBE = Job("def probe(x):\n    return x + 1\n", "probe", [{"x": 1}])
_Work = TypeVar("_Work")
_Result = TypeVar("_Result")


@contextlib.contextmanager
def _scarcity(what: str) -> Iterator[None]:
    """Of descriptors, memory or disk space: an error of the machinery that says what to do."""
    try:
        yield
    except OSError as error:
        advice = "free descriptors, memory or disk space for temporary files, or use fewer workers"
        raise SandboxError(f"{what} ({error}); {advice}") from error


class Pool(Grader):
    """Grades requests on `workers` guests of one sandbox and one vocabulary. Use it as a context manager.

    `sandbox` is `auto`, `docker`, `podman`, `bwrap`, `process`, or a launcher. Guests start at first use. `workers`
    defaults to the number of processors.
    """

    def __init__(
        self,
        sandbox: str | Launcher = "auto",
        vocabulary: Vocabulary | None = None,
        workers: int | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._workers = workers if workers is not None else len(os.sched_getaffinity(0))
        if self._workers < 1:
            raise ValueError(f"workers must be at least 1, got {workers}")
        self.vocabulary = vocabulary or Vocabulary.default()
        self.limits = limits or Limits()
        self._given = sandbox
        self._launcher: Launcher | None = None
        self._starting = threading.Lock()
        self._threads = ThreadPoolExecutor(self._workers, thread_name_prefix="sebench-guest")
        self._local = threading.local()
        self._guests: set[Guest] = set()
        self._slots = threading.BoundedSemaphore(self._workers * AHEAD)
        self._closed = False

    @property
    def workers(self) -> int:
        """Guests that grade at a time."""
        return self._workers

    @property
    def launcher(self) -> Launcher:
        """The launcher in use, chosen and checked at first use. Raises SandboxUnavailable."""
        with self._starting:
            if self._launcher is None:
                with _scarcity("no sandbox can be tried"):
                    launcher = make(self._given) if isinstance(self._given, str) else self._given
                    launcher.check()
                self._launcher = launcher
            return self._launcher

    def check(self) -> None:
        """Start a guest and run a trivial solution in it. Raises SandboxUnavailable with the reason."""
        try:
            self._need_result(self.run(_PROBE))
        except SandboxUnavailable:
            raise
        except SandboxError as error:
            raise SandboxUnavailable(f"the sandbox does not work here: {error}") from error

    @property
    def provenance(self) -> dict[str, str]:
        """What a result should carry about its grading."""
        launcher = self.launcher
        return {
            "sandbox": launcher.name,
            **launcher.provenance,
            "vocabulary": self.vocabulary.label,
            "vocabulary_fingerprint": self.vocabulary.fingerprint,
        }

    def run(self, job: Job) -> RunRecord:
        """Run code once in a fresh process and say what happened, without judging it. Raises SandboxError."""
        return self._submitted(self._run, job).result()

    async def grade_async(self, request: GradingRequest) -> Verdict:
        """Grade one response without blocking the running event loop."""
        while not self._slots.acquire(blocking=False):
            await asyncio.sleep(0.005)
        return await asyncio.wrap_future(self._enqueue(request))

    def submit(self, request: GradingRequest) -> Future[Verdict]:
        """Queue one response; blocks while too many are queued already."""
        self._slots.acquire()
        return self._enqueue(request)

    def _enqueue(self, request: GradingRequest) -> Future[Verdict]:
        try:
            future = self._submitted(self._grade, request)
        except BaseException:
            self._slots.release()
            raise
        future.add_done_callback(lambda _: self._slots.release())
        return future

    def _submitted(self, function: Callable[[_Work], _Result], work: _Work) -> Future[_Result]:
        try:
            return self._threads.submit(function, work)
        except RuntimeError as error:
            raise SandboxError(f"the pool takes no more work: {error}") from error

    def close(self) -> None:
        """End all guests. What is being graded fails with SandboxError."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for guest in list(self._guests):
            self._drop(guest)
        self._threads.shutdown(wait=True)

    def _grade(self, request: GradingRequest) -> Verdict:
        try:
            return grade(request, self._run, self.limits)
        except GuestDied:
            self._guest()
        try:
            return grade(request, self._run, self.limits)
        except GuestDied as error:
            self._guest()
            return Verdict(Outcome.CRASHED, 0, len(request.cases), detail=f"ended its guest twice: {error}"[:400])

    def _run(self, job: Job) -> RunRecord:
        guest = self._guest()
        try:
            record = guest.run(job)
            return guest.run(job) if record.killed(self.limits.cpu_s) else record
        except BaseException:
            self._local.guest = None
            self._drop(guest)
            raise

    def _guest(self) -> Guest:
        """This thread's guest. Raises SandboxError, never GuestDied: no solution is to blame for what fails here."""
        guest: Guest | None = getattr(self._local, "guest", None)
        if guest is None:
            guest = self._local.guest = self._started()
        return guest

    def _started(self) -> Guest:
        for _ in range(_STARTS - 1):
            with contextlib.suppress(GuestDied):
                return self._start()
        try:
            return self._start()
        except GuestDied as error:
            name = self.launcher.name
            raise SandboxError(f"{name}: {_STARTS} new guests died before any solution ran: {error}") from error

    def _start(self) -> Guest:
        """A new guest that has run something harmless."""
        launcher = self.launcher
        with _scarcity(f"{launcher.name} cannot start a guest"):
            connection, commands, shared = launcher.start(self.limits)
            guest = Guest(connection, self.limits)
            self._guests.add(guest)
            try:
                self._prove(guest, self._configuration(commands, shared))
            except BaseException:
                self._drop(guest)
                raise
        return guest

    def _prove(self, guest: Guest, configuration: dict[str, Any]) -> None:
        if self._closed:
            raise SandboxError("the pool is closed")
        guest.greet(configuration)
        self._need_result(guest.run(_PROBE))

    def _need_result(self, record: RunRecord) -> None:
        if record.results.get(0) != Returned(2):
            raise SandboxError(f"{self.launcher.name} runs no solution: {record.results or record.output}")

    def _drop(self, guest: Guest) -> None:
        with contextlib.suppress(KeyError):  # two threads may find it useless
            self._guests.remove(guest)
            guest.close()

    def _configuration(self, commands: dict[str, list[str]], shared: dict[str, Any]) -> dict[str, Any]:
        limits = self.limits
        entries = catalog.load()
        functions = {self.vocabulary.wire_name(i): [i, entries[i].signature] for i in self.vocabulary.names}
        shared = {**shared, "cpu_s": max(1, math.ceil(limits.cpu_s))}
        solution = {**shared, "memory_bytes": limits.solution_memory_bytes}
        kernel = {**_another_user(shared), "memory_bytes": limits.kernel_memory_bytes, "functions": functions}
        return {
            "limits": limits.__dict__,
            "commands": commands,
            "settings": {
                "solution": solution,
                "kernel": kernel,
                "numpy": {**solution, "memory_bytes": limits.kernel_memory_bytes},
            },
        }


def _another_user(shared: dict[str, Any]) -> dict[str, Any]:
    """The settings of a cell, under the user id next to that of the solution where the launcher gave it one."""
    return shared if shared["uid"] is None else {**shared, "uid": shared["uid"] + 1}

"""The hub: the guest program that the host talks to. It starts the cells and conducts one run at a time.

It reads frames from standard input and answers on standard output; nothing of a solution runs in it, and what a
solution sends is passed on unread. First frame: the configuration. Then three frames per run: what the hub must know of
it, the code with its first cases, and the other cases or nothing; these two are passed on unread too. Answered by
three: a JSON summary, the raw result frames of the solution, and the head of what it printed.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import time
from typing import Any

from sandbox.guest import frames
from sandbox.guest.feed import Feed
from sandbox.guest.waiting import Waiting

_GRACE_S = 5.0
_STARVATION_FACTOR = 6.0


class Cell:
    """One zygote, in whatever confinement its command line makes."""

    def __init__(self, kind: str, command: list[str], settings: dict[str, Any]) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        their_start, start = os.pipe()
        numbers = [theirs.fileno(), their_start]
        self.process = subprocess.Popen(
            [*command, kind, *map(str, numbers)], pass_fds=numbers, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
        theirs.close()
        os.close(their_start)
        frames.write(start, json.dumps(settings).encode())
        os.close(start)
        hello = self.control.recv(1 << 16)
        if not hello:
            raise EOFError(f"the {kind} cell did not start: {' '.join(command[:1])} exited {self.process.wait()}")
        self.hello = json.loads(hello)

    def run(self, payload: Any, descriptors: list[int]) -> None:
        """Fork a child on `payload`; the descriptors go to it and are closed here."""
        socket.send_fds(self.control, [json.dumps(payload).encode()], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def kill(self) -> None:
        """End the child that is running; without one, nothing happens."""
        self.control.send(b"kill")

    def report(self) -> dict[str, Any]:
        """The report on a child that ended. Raises EOFError if the zygote is gone."""
        packet = self.control.recv(1 << 16)
        if not packet:
            raise EOFError("a cell died")
        report: dict[str, Any] = json.loads(packet)
        return report


class Kernel:
    """The kernel's cell with the worker that serves runs; a worker that ended is replaced at the next run."""

    def __init__(self, cell: Cell, cpu_s: float) -> None:
        self.cell = cell
        self._cpu_s = cpu_s
        self._worker: socket.socket | None = None
        self._waiting = Waiting(cell.process.pid)
        self._waited_before_s = 0.0
        self._cpu_before_s = 0.0

    def run(self, payload: Any, link: int) -> None:
        """Serve a run over `link`, which is closed here."""
        self._waited_before_s = 0.0 if self._worker is None else self._waiting.seconds()
        if self._worker is None:
            self._worker, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.cell.run({"cpu_s": self._cpu_s}, [theirs.detach()])
        socket.send_fds(self._worker, [json.dumps(payload).encode()], [link])
        os.close(link)

    def waited_s(self) -> float:
        """Seconds that the worker waited for a processor in this run; it has waited in earlier ones too."""
        return max(0.0, self._waiting.seconds() - self._waited_before_s)

    def finish(self, killed: bool) -> dict[str, Any]:
        """What came of the run: how the kernel ended or went on, and its witness. Ends a kernel that still computes.

        A worker that was told to die is gone, even if its report on the run came first.
        """
        assert self._worker is not None
        ended = self.cell.control.fileno()
        if not killed and not _readable((self._worker.fileno(), ended), _GRACE_S * _STARVATION_FACTOR):
            self.cell.kill()
            killed = True
        if not _readable((self._worker.fileno(),)) or not (packet := self._worker.recv(1 << 18)):
            return self._ended(self.cell.report())
        report = json.loads(packet)
        self._cpu_before_s += report["cpu_s"]
        witness = report.pop("witness")
        if report.pop("last") or killed:
            self._ended(self.cell.report())
        return {"kernel": {"status": 0, **report}, "witness": witness}

    def _ended(self, report: dict[str, Any]) -> dict[str, Any]:
        assert self._worker is not None
        self._worker.close()
        self._worker = None
        self._waiting.forget()
        report["cpu_s"] -= self._cpu_before_s  # of its last run alone
        self._cpu_before_s = 0.0
        return {"kernel": report, "witness": None}


class Stream:
    """Bytes from one descriptor, kept up to a limit and counted beyond it."""

    def __init__(self, descriptor: int, keep: int) -> None:
        self.descriptor = descriptor
        self.kept = bytearray()
        self.count = 0
        self._keep = keep
        os.set_blocking(descriptor, False)

    def drain(self) -> bool:
        """Read what is there; False at the end of the stream."""
        try:
            part = os.read(self.descriptor, 1 << 18)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.count += len(part)
        self.kept += part[: max(0, self._keep - len(self.kept))]
        return bool(part)


class Run:
    """One run: its descriptors, its clock, and what came out of it."""

    def __init__(self, hub: Hub, job: dict[str, Any], message: bytes, rest: bytes) -> None:
        self._hub = hub
        self._limits = hub.limits
        self.solution = hub.cell("numpy" if job["numpy"] else "solution")  # may have to start: before the clock does
        self.kernel = None if job["numpy"] else hub.kernel
        self._started = time.monotonic()
        self._deadline: float = self._started + self._limits["wall_s"]
        self._killed = False
        self.stopped: str | None = None
        self._start(job, message, rest)

    def _start(self, job: dict[str, Any], message: bytes, rest: bytes) -> None:
        ours, theirs = socket.socketpair()
        read_output, write_output = os.pipe()
        descriptors = [theirs.detach(), write_output]
        if self.kernel is not None:
            kernel_link, solution_link = socket.socketpair()
            self.kernel.run({"alteration": job["alteration"], "targets": job["targets"]}, kernel_link.detach())
            descriptors.append(solution_link.detach())
        self.solution.run({}, descriptors)
        self._send(ours, message)
        self._link = ours
        self._feed = Feed(ours, job["first"], rest)
        self._results = Stream(ours.fileno(), self._limits["result_bytes"])
        self._output = Stream(read_output, self._limits["kept_output_bytes"])
        self._streams = {stream.descriptor: stream for stream in (self._results, self._output)}

    def _send(self, stream: socket.socket, message: bytes) -> None:
        stream.settimeout(_GRACE_S * _STARVATION_FACTOR)
        try:
            stream.sendall(frames.pack(message))
        except OSError:
            self.stopped = "no start"

    def conduct(self) -> tuple[dict[str, Any], bytes, bytes]:
        """Wait for the end of the run, by itself or by a limit; answer with summary, results and output."""
        try:
            ended = self._wait()
            summary = {"stopped": self.stopped, "wall_s": time.monotonic() - self._started, **ended}
            return summary, bytes(self._results.kept), bytes(self._output.kept)
        finally:
            self._link.close()
            os.close(self._output.descriptor)

    def _wait(self) -> dict[str, Any]:
        """Serve the streams and watch the limits until the solution's process has ended."""
        poll = select.poll()
        for descriptor in (self.solution.control.fileno(), self._hub.requests, *self._streams):
            poll.register(descriptor, select.POLLIN)
        if not self._until_fed(poll):
            while not self._serve(poll):
                self._watch()
        return self._finish()

    def _until_fed(self, poll: select.poll) -> bool:
        """Serve the streams until the first cases are answered, then send the others; whether the process has ended."""
        while not self._feed.is_due(self._results.kept):
            if self._serve(poll):
                return True
            self._watch()
        self._feed.push()
        if not self._feed.done:
            poll.register(self._results.descriptor, select.POLLIN | select.POLLOUT)
        return False

    def _serve(self, poll: select.poll) -> bool:
        """Handle what happens until the deadline; whether the solution's process has ended."""
        events = dict(poll.poll(max(0.0, (self._deadline - time.monotonic()) * 1000)))
        if self._hub.requests in events:
            raise EOFError("the host is gone")
        for descriptor in events.keys() & self._streams.keys():
            if not self._streams[descriptor].drain():
                poll.unregister(descriptor)
            elif events[descriptor] & select.POLLOUT:
                self._feed.push()
                if self._feed.done:
                    poll.register(descriptor, select.POLLIN)
        return self.solution.control.fileno() in events

    def _watch(self) -> None:
        if self._killed:
            if time.monotonic() >= self._deadline:
                raise EOFError("a killed run did not end")
            return
        if self._over_output():
            self.stopped = "output"
        elif time.monotonic() >= self._deadline:
            self._deadline = self._extended()
            if time.monotonic() >= self._deadline:
                self.stopped = "wall"
        if self.stopped:
            self._kill()

    def _kill(self) -> None:
        self._killed = True
        self._deadline = time.monotonic() + _GRACE_S * _STARVATION_FACTOR
        self.solution.kill()
        if self.kernel is not None:
            self.kernel.cell.kill()

    def _over_output(self) -> bool:
        limits = self._limits
        return bool(self._output.count > limits["output_bytes"] or self._results.count > limits["result_bytes"])

    def _extended(self) -> float:
        """A later deadline if the machine was too busy to run this run: waiting for a processor does not count."""
        waited = Waiting(self.solution.process.pid).seconds()
        waited += 0.0 if self.kernel is None else self.kernel.waited_s()
        limit_s: float = self._limits["wall_s"]
        latest = self._started + limit_s * _STARVATION_FACTOR
        return min(latest, max(self._deadline, self._started + limit_s + waited))

    def _finish(self) -> dict[str, Any]:
        solution = self.solution.report()
        for stream in self._streams.values():
            while _readable((stream.descriptor,)) and not self._over_output() and stream.drain():
                pass
        if self._over_output():
            self.stopped = self.stopped or "output"
        rest = {"kernel": None, "witness": None} if self.kernel is None else self.kernel.finish(self._killed)
        return {"solution": solution, **rest}


def _readable(descriptors: tuple[int, ...], timeout_s: float = 0.0) -> bool:
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(timeout_s * 1000))


class Hub:
    """The cells and the conversation with the host."""

    def __init__(self, requests: int, answers: int) -> None:
        self.requests = requests
        self._answers = answers
        self._configuration = json.loads(frames.read(requests))
        self.limits: dict[str, Any] = self._configuration["limits"]
        self._cells: dict[str, Cell] = {}
        self.kernel = Kernel(self.cell("kernel"), self._configuration["settings"]["kernel"]["cpu_s"])

    def cell(self, kind: str) -> Cell:
        """The cell of that kind, started at first use."""
        if kind not in self._cells:
            settings = self._configuration["settings"][kind]
            self._cells[kind] = Cell(kind, self._configuration["commands"][kind], settings)
        return self._cells[kind]

    def serve(self) -> None:
        """Greet, then conduct runs until the host closes the stream."""
        self.cell("solution")
        frames.write(self._answers, json.dumps(self.kernel.cell.hello).encode())
        while True:
            job = json.loads(frames.read(self.requests))
            summary, results, output = Run(self, job, frames.read(self.requests), frames.read(self.requests)).conduct()
            for part in (json.dumps(summary).encode(), results, output):
                frames.write(self._answers, part)


def main() -> None:
    """Serve the host on standard input and output until it goes."""
    answers = os.dup(1)
    os.dup2(2, 1)
    try:
        Hub(0, answers).serve()
    except EOFError as error:
        if error.args:
            print(f"sandbox hub: {error}", file=sys.stderr)
            sys.exit(3)


if __name__ == "__main__":
    main()

"""The hub: the guest program that the host talks to. It starts the cells and conducts one run at a time.

It reads frames from standard input and answers on standard output; nothing of a solution runs in it, and what a
solution sends is passed on unread. First frame: the configuration. Then one frame per run, answered by three:
a JSON summary, the raw result frames of the solution, and the head of what it printed.
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
from sandbox.guest.waiting import waited_s

_GRACE_S = 5.0
_STARVATION_FACTOR = 6.0


class Cell:
    """One zygote, in whatever confinement its command line makes."""

    def __init__(self, kind: str, command: list[str], settings: dict[str, Any]) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        start, their_start = socket.socketpair()
        numbers = [theirs.fileno(), their_start.fileno()]
        self.process = subprocess.Popen(
            [*command, kind, *map(str, numbers)], pass_fds=numbers, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
        theirs.close()
        their_start.close()
        frames.SocketStream(start).send(json.dumps(settings).encode())
        start.close()
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

    def __init__(self, hub: Hub, job: dict[str, Any]) -> None:
        self._hub = hub
        self._limits = hub.limits
        self._open: list[int] = []
        self._started = time.monotonic()
        self.stopped: str | None = None
        self.solution = hub.cell("numpy" if job["numpy"] else "solution")
        self.kernel = None if job["numpy"] else hub.cell("kernel")
        self._start(job)

    def _start(self, job: dict[str, Any]) -> None:
        ours, theirs = socket.socketpair()
        read_output, write_output = os.pipe()
        descriptors = [theirs.detach(), write_output]
        if self.kernel is not None:
            kernel_link, solution_link = socket.socketpair()
            read_report, write_report = os.pipe()
            self.kernel.run(
                {"alteration": job["alteration"], "targets": job["targets"]}, [kernel_link.detach(), write_report]
            )
            descriptors.append(solution_link.detach())
            self._witness = Stream(read_report, self._limits["output_bytes"])
        self.solution.run({}, descriptors)
        message = {name: job[name] for name in ("code", "entry_point", "cases")}
        self._send(ours, json.dumps(message).encode())
        self._results = Stream(ours.detach(), self._limits["output_bytes"])
        self._output = Stream(read_output, self._limits["kept_output_bytes"])

    def _send(self, stream: socket.socket, message: bytes) -> None:
        stream.settimeout(_GRACE_S * _STARVATION_FACTOR)
        try:
            frames.SocketStream(stream).send(message)
        except OSError:
            self.stopped = "no start"

    def conduct(self) -> tuple[dict[str, Any], bytes, bytes]:
        """Wait for the end of the run, by itself or by a limit; answer with summary, results and output."""
        try:
            ended = self._wait()
            summary = {"stopped": self.stopped, "wall_s": time.monotonic() - self._started, **ended}
            return summary, bytes(self._results.kept), bytes(self._output.kept)
        finally:
            os.close(self._results.descriptor)
            os.close(self._output.descriptor)
            if self.kernel is not None:
                os.close(self._witness.descriptor)

    def _wait(self) -> dict[str, Any]:
        poll = select.poll()
        streams = {stream.descriptor: stream for stream in (self._results, self._output)}
        control = self.solution.control.fileno()
        for descriptor in (*streams, control, self._hub.requests):
            poll.register(descriptor, select.POLLIN)
        deadline = self._started + self._limits["wall_s"]
        killed_at = None
        while True:
            events = poll.poll(max(0.0, (deadline - time.monotonic()) * 1000))
            for descriptor, _ in events:
                if descriptor in streams and not streams[descriptor].drain():
                    poll.unregister(descriptor)
                elif descriptor == self._hub.requests:
                    raise EOFError("the host is gone")
                elif descriptor == control:
                    return self._finish(streams)
            if killed_at is None and self._over_output():
                self.stopped = "output"
            if killed_at is None and time.monotonic() >= deadline:
                deadline = self._extended(deadline)
                if time.monotonic() >= deadline:
                    self.stopped = "wall"
            if killed_at is None and self.stopped:
                killed_at = time.monotonic()
                deadline = killed_at + _GRACE_S * _STARVATION_FACTOR
                self.solution.kill()
                if self.kernel is not None:
                    self.kernel.kill()
            elif killed_at is not None and time.monotonic() >= deadline:
                raise EOFError("a killed run did not end")

    def _over_output(self) -> bool:
        limit = self._limits["output_bytes"]
        return self._output.count > limit or self._results.count > limit

    def _extended(self, deadline: float) -> float:
        """A later deadline if the machine was too busy to run this run: waiting for a processor does not count."""
        cells = [cell for cell in (self.solution, self.kernel) if cell is not None]
        waited = sum(waited_s(cell.process.pid) for cell in cells)
        latest = self._started + self._limits["wall_s"] * _STARVATION_FACTOR
        return min(latest, max(deadline, self._started + self._limits["wall_s"] + waited))

    def _finish(self, streams: dict[int, Stream]) -> dict[str, Any]:
        solution = self.solution.report()
        for stream in streams.values():
            while _readable(stream.descriptor) and stream.drain():
                if stream.count > 2 * self._limits["output_bytes"]:
                    break
        if self._over_output():
            self.stopped = self.stopped or "output"
        if self.kernel is None:
            return {"solution": solution, "kernel": None, "witness": None}
        return {"solution": solution, **self._finish_kernel(self.kernel)}

    def _finish_kernel(self, kernel: Cell) -> dict[str, Any]:
        """The kernel ends by itself when its client is gone; one that still computes is ended."""
        ended = _readable(self._witness.descriptor, 0.5) or _readable(kernel.control.fileno(), 0.0)
        if not ended:
            kernel.kill()
        report = kernel.report()
        while self._witness.drain():
            if not _readable(self._witness.descriptor, 0.0):
                break
        witness = json.loads(self._witness.kept[4:]) if len(self._witness.kept) > 4 else None
        return {"kernel": report, "witness": witness}


def _readable(descriptor: int, timeout_s: float = 0.0) -> bool:
    poll = select.poll()
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

    def cell(self, kind: str) -> Cell:
        """The cell of that kind, started at first use."""
        if kind not in self._cells:
            settings = self._configuration["settings"][kind]
            self._cells[kind] = Cell(kind, self._configuration["commands"][kind], settings)
        return self._cells[kind]

    def serve(self) -> None:
        """Greet, then conduct runs until the host closes the stream."""
        kernel, solution = self.cell("kernel"), self.cell("solution")
        frames.write(self._answers, json.dumps({**kernel.hello, **solution.hello}).encode())
        while True:
            job = json.loads(frames.read(self.requests))
            summary, results, output = Run(self, job).conduct()
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

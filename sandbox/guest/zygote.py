"""A zygote: a warm process that forks one prepared child per run, tells when it ends, and kills it when told to.

Control messages are packets on one SEQPACKET socket. From the hub: `run` with descriptors and a JSON payload, or
`kill`. To the hub: `ready` once, then one report per run: wait status, CPU seconds, peak memory.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket
from collections.abc import Callable
from typing import Any

from sandbox.guest import UNCONFINED, seccomp

ChildMain = Callable[[list[int], Any], None]
_PACKET = 1 << 16
# The C library's fork, without Python's at-fork hooks: they touch hundreds of pages, which is most of the cost of a
# fork here, and would seed `random` anew. A zygote has one thread and holds the interpreter's lock, so nothing needs
# to be set right in the child.
_fork = ctypes.PyDLL(None).fork


class Confinement:
    """What a child gives up before it touches anything of a solution. Settings come from the hub, as JSON.

    `prepare` does, once in the zygote, all that children inherit and that does not hinder the zygote itself.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        self._uid: int | None = settings["uid"] if os.geteuid() == 0 else None
        self._filter = seccomp.Filter() if settings["filter"] else None
        self._cpu_s: int = settings["cpu_s"]
        self._limits = [
            (resource.RLIMIT_AS, settings["memory_bytes"]),
            (resource.RLIMIT_NOFILE, 64),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_MEMLOCK, 0),
            *([(resource.RLIMIT_NPROC, settings["threads"])] if settings["threads"] else []),
        ]

    def prepare(self) -> None:
        """Limit this process and its children to come. Raises OSError where the machine does not allow it."""
        for what, value in self._limits:
            _limit(what, value)
        if self._uid is not None:
            os.setgroups([])
            os.setresgid(self._uid, self._uid, self._uid)
        if self._filter is not None:
            seccomp.forgo_privileges()

    def enter(self) -> None:
        """Confine this process for good, on top of what it inherited."""
        if self._cpu_s:
            resource.setrlimit(resource.RLIMIT_CPU, (self._cpu_s, self._cpu_s + 1))
        if self._uid is not None:
            os.setresuid(self._uid, self._uid, self._uid)
        if self._filter is not None:
            self._filter.install()


def _limit(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, value))


def serve(control: socket.socket, hello: dict[str, Any], confinement: Confinement, child_main: ChildMain) -> None:
    """Fork children until the hub closes `control`. A child that runs then goes with the zygote."""
    confinement.prepare()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control.send(json.dumps(hello).encode())
    while True:
        packet, descriptors, _, _ = socket.recv_fds(control, _PACKET, 8)
        if not packet:
            return
        if packet == b"kill":
            continue
        payload = json.loads(packet)  # here and not in the child, where every page that is touched costs
        child = _fork()
        if child == 0:
            _become_child(control, descriptors, payload, confinement, child_main)
        for descriptor in descriptors:
            os.close(descriptor)
        control.send(json.dumps(_supervise(control, child)).encode())


def _become_child(
    control: socket.socket, descriptors: list[int], payload: Any, confinement: Confinement, child_main: ChildMain
) -> None:
    status = UNCONFINED
    try:
        os.close(control.fileno())
        confinement.enter()
        status = 1
        child_main(descriptors, payload)
        status = 0
    finally:
        os._exit(status)


def _supervise(control: socket.socket, child: int) -> dict[str, Any]:
    watch = os.pidfd_open(child)
    try:
        poll = select.poll()
        poll.register(watch, select.POLLIN)
        poll.register(control, select.POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in poll.poll()]
            if watch in ready:
                break
            control.recv(_PACKET)  # "kill", or the end of the hub: either way the child goes
            os.kill(child, signal.SIGKILL)
            poll.unregister(control)
    finally:
        os.close(watch)
    _, status, usage = os.wait4(child, 0)
    _reap_orphans()
    return {"status": status, "cpu_s": usage.ru_utime + usage.ru_stime, "peak_bytes": usage.ru_maxrss * 1024}


def _reap_orphans() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass

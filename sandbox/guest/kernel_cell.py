"""The kernel's cell: a zygote that holds NumPy and the pseudo-names and forks one kernel per run."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import warnings
from typing import Any

import numpy as np

from sandbox.guest import frames
from sandbox.guest.witness import Witness
from sandbox.guest.zygote import Confinement, serve
from zwc import _wire
from zwc._signature import Signature
from zwc.kernel import Kernel, TooManyGuesses


class SocketLink:
    """The kernel's end of the socket to the solution."""

    def __init__(self, descriptor: int) -> None:
        self._stream = frames.SocketStream(socket.socket(fileno=descriptor))

    def send(self, message: Any) -> None:
        """Send one message; a client that is gone ends the conversation."""
        try:
            self._stream.send(_wire.dumps(message))
        except OSError:
            raise EOFError from None

    def receive(self) -> Any:
        """The client's next message. A message that is not well formed ends the conversation too."""
        try:
            message = _wire.loads(self._stream.receive())
        except (OSError, ValueError):
            raise EOFError from None
        if type(message) is not list or not message:
            raise EOFError
        return message


def main(control: socket.socket, settings: dict[str, Any]) -> None:
    """Serve runs. `settings`: confinement, and `functions` as {pseudo-name: [function id, signature]}."""
    functions = {name: (record[0], Signature(record[1])) for name, record in settings["functions"].items()}
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    np.linalg.inv(np.eye(2) + np.ones((2, 2)))  # loads what the first call would load in every child

    def child(descriptors: list[int], payload: Any) -> None:
        link, report = descriptors
        witness = Witness(payload["alteration"], frozenset(payload["targets"]))
        with contextlib.suppress(TooManyGuesses):
            try:
                Kernel(functions, witness).serve(SocketLink(link))
            except TooManyGuesses:
                witness.guessing = True
        frames.write(report, json.dumps(witness.report()).encode())

    versions = {"python": sys.version.split()[0], "numpy": np.__version__, "pid": os.getpid()}
    serve(control, versions, Confinement(settings), child)

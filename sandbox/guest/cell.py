"""Entry of a cell: `main` with arguments KIND CONTROL START: settings come on START, then it serves CONTROL."""

from __future__ import annotations

import json
import os
import socket
import sys

from sandbox.guest import frames


def main() -> None:
    """Run the cell named on the command line until the hub goes."""
    kind, descriptor = sys.argv[1], int(sys.argv[2])
    control = socket.socket(fileno=descriptor)
    start = int(sys.argv[3])
    settings = json.loads(frames.read(start))
    os.close(start)
    if kind == "kernel":
        from sandbox.guest import kernel_cell

        kernel_cell.main(control, settings)
    else:
        from sandbox.guest import solution_cell

        solution_cell.main(control, settings)

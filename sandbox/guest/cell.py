"""Entry of a cell: `python … cell.py KIND DESCRIPTOR`. Settings arrive on the control socket, then it serves."""

from __future__ import annotations

import json
import socket
import sys

from sandbox.guest import frames


def main() -> None:
    """Run the cell named on the command line until the hub goes."""
    kind, descriptor = sys.argv[1], int(sys.argv[2])
    control = socket.socket(fileno=descriptor)
    start = socket.socket(fileno=int(sys.argv[3]))
    settings = json.loads(frames.SocketStream(start).receive())
    start.close()
    if kind == "kernel":
        from sandbox.guest import kernel_cell

        kernel_cell.main(control, settings)
    else:
        from sandbox.guest import solution_cell

        solution_cell.main(control, settings)


if __name__ == "__main__":
    main()

"""Entry of a cell: `main` with arguments KIND CONTROL START: settings come on START, then it serves CONTROL."""

from __future__ import annotations

import importlib
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
    importlib.import_module(f"sandbox.guest.{kind}_cell").main(control, settings)

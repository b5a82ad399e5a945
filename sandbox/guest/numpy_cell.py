"""The cell of the numpy condition: a solution's cell whose interpreter has NumPy and no zwc.

Only this cell's view holds the file: nothing that a solution in zwc can read names NumPy.
"""

from __future__ import annotations

import socket
import sys
from typing import Any

import numpy as np

from sandbox.guest import solution_cell
from zwc import _wire


def _plain(value: Any) -> Any:
    """Plain data for an array or a scalar of NumPy; anything else is refused by its type's name."""
    if type(value) is np.ndarray:
        return _wire.encode(value.tolist(), _plain)
    if type(value).__module__ == "numpy" and isinstance(value, np.generic):
        return _wire.encode(value.item(), _wire._refuse)
    return solution_cell.refuse(value)


def main(control: socket.socket, settings: dict[str, Any]) -> None:
    """Serve runs."""
    for name in [name for name in sys.modules if name.split(".")[0] == "zwc" and name != "zwc._wire"]:
        del sys.modules[name]
    solution_cell.serve_runs(control, settings, _plain)

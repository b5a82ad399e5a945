"""How long a cell's child has waited for a processor: a busy machine must not fail an honest solution."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

_PROC = Path("/proc")


class Waiting:
    """The waiting time of the youngest descendant of a process. Found once and then cheap to ask."""

    def __init__(self, ancestor: int) -> None:
        self._ancestor = ancestor
        self._file: BinaryIO | None = None

    def seconds(self) -> float:
        """Seconds for which it was ready to run but not running; 0.0 if that is not known (yet).

        Source: the second field of /proc/PID/schedstat, in nanoseconds.
        """
        try:
            if self._file is None:
                self._file = (_PROC / f"{self._descendant()}/schedstat").open("rb", buffering=0)
            self._file.seek(0)
            return int(self._file.read(200).split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            self.forget()
            return 0.0

    def forget(self) -> None:
        """Look for the descendant again next time."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _descendant(self) -> int:
        pid = self._ancestor
        while children := (_PROC / f"{pid}/task/{pid}/children").read_text(encoding="ascii").split():
            pid = int(children[-1])
        return pid

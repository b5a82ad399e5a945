"""How long a cell's child has waited for a processor: a busy machine must not fail an honest solution."""

from __future__ import annotations

from pathlib import Path

_PROC = Path("/proc")


def waited_s(pid: int) -> float:
    """Seconds for which the youngest descendant of `pid` was ready to run but not running; 0.0 if unknown.

    Source: the second field of /proc/PID/schedstat, in nanoseconds.
    """
    try:
        while children := (_PROC / f"{pid}/task/{pid}/children").read_text(encoding="ascii").split():
            pid = int(children[-1])
        return int((_PROC / f"{pid}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0

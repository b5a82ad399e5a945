"""A process without free descriptors."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def all_but(free: int) -> Iterator[None]:
    """Leave this process no more than `free` descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(name) for name in os.listdir("/proc/self/fd"))  # noqa: PTH208
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1 + free, hard))
    source = os.open(Path(os.devnull), os.O_RDONLY)
    filling = [source]
    try:
        with contextlib.suppress(OSError):
            while True:
                filling.append(os.dup(source))
        for _ in range(free):
            os.close(filling.pop())
        yield
    finally:
        for descriptor in filling:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

"""Model responses on disk before anything is done with them, in the form that `sebench grade` reads."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

KEPT_DAYS = 14


@dataclass(frozen=True)
class Response:
    """One sample of a model: problem id, number of the sample from 0, raw text."""

    id: str
    sample: int
    text: str


def default_folder() -> Path:
    """Where spools lie unless the user names a folder: `sebench/spool` in the user's cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sebench" / "spool"


def write(folder: Path, name: str, responses: Iterable[Response]) -> Path:
    """Write the responses to a new file in `folder`, one JSON object a line.

    The file appears whole or not at all. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    path = folder / f"{name}-{moment}-{os.getpid()}.jsonl"
    unfinished = path.with_name(f".{path.name}.tmp")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            for response in responses:
                record = {"id": response.id, "sample": response.sample, "response": response.text}
                file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return path


def write_aside(name: str, responses: Iterable[Response]) -> Path:
    """Write the responses to a new temporary folder that only this user can read. Raises OSError."""
    folder = Path(tempfile.mkdtemp(prefix="sebench-spool-"))
    try:
        return write(folder, name, responses)
    except OSError:
        folder.rmdir()
        raise


def prune(folder: Path, days: float = KEPT_DAYS) -> None:
    """Remove spools older than `days` from the default folder; one that cannot be removed stays."""
    oldest = time.time() - days * 86400
    for path in (*folder.glob("*.jsonl"), *folder.glob(".*.jsonl.tmp")):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()

"""What makes stages resumable: a folder is made in one piece, and remembers what it was made from."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

RECORD = "stage.json"


def is_made(folder: Path, made_from: Mapping[str, Any]) -> bool:
    """Whether the folder is complete and was made from just this."""
    path = folder / RECORD
    return path.is_file() and json.loads(path.read_text(encoding="utf-8")) == made_from


@contextmanager
def making(folder: Path, made_from: Mapping[str, Any]) -> Iterator[Path]:
    """A folder to fill; it takes the place of `folder`, with a record of what it was made from, if nothing fails."""
    partial = folder.with_name(folder.name + ".partial")
    if partial.exists():
        shutil.rmtree(partial)
    partial.mkdir(parents=True)
    yield partial
    (partial / RECORD).write_text(json.dumps(made_from, indent=1) + "\n", encoding="utf-8")
    if folder.exists():
        shutil.rmtree(folder)
    partial.rename(folder)


def digest(path: Path) -> str:
    """12 hex digits over a file, or over the names and contents of a folder's files (weights included)."""
    hashed = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            hashed.update(file.relative_to(path.parent).as_posix().encode() + b"\0")
            with file.open("rb") as content:
                hashed.update(hashlib.file_digest(content, "sha256").digest())
    return hashed.hexdigest()[:12]

"""The folder of imported official data: what lies in it, and reading it.

`import.json` names the problem files with their hashes, so that a file that no import left there is noticed.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sebench_tasks import problems
from sebench_tasks.errors import ImportedDataError, SourceError
from zwc.vocabulary import official_folder

REPORT = "import.json"
COMMAND = "sebench official import --api-doc api_doc.jsonl --single single_test.jsonl --multi multiple_test.jsonl"
OPTIONS = {"single_test": "--single", "multi_test": "--multi", "train": "--train"}


def load(name: str) -> list[problems.Problem]:
    """The problems of one imported set: `single_test`, `multi_test` or `train`.

    Raises:
        SourceError: nothing is imported, or not this set; names the command.
        ImportedDataError: the set is not as the import left it.
    """
    folder = official_folder()
    path = folder / f"{name}.jsonl"
    described = report(folder)["sets"]
    if name not in described:
        held = ", ".join(described)
        raise SourceError(
            f"the official data in {folder} has no {name}, only {held}: import again with {OPTIONS[name]} FILE, "
            "and with the other files, since an import replaces the earlier one"
        )
    if not path.is_file() or digest(path) != described[name]["sha256"]:
        raise ImportedDataError(f"{path} is not what {REPORT} beside it describes: import the official data again")
    return problems.read(path)


def report(folder: Path) -> Mapping[str, Any]:
    """What `import.json` of a folder says. Raises SourceError without one, ImportedDataError if it is damaged."""
    path = folder / REPORT
    if not path.is_file():
        raise SourceError(
            f"no official data is imported in {folder}: run `{COMMAND}` (SEBENCH_OFFICIAL names another folder)"
        )
    try:
        described = json.loads(path.read_text(encoding="utf-8"))
        for entry in described["sets"].values():
            entry["sha256"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ImportedDataError(f"{path} is damaged ({error!r}): import the official data again") from error
    return described  # type: ignore[no-any-return]


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()

"""The official problem files from the Hugging Face hub.

There the data set has one configuration for each file, with all rows in a split named `train`. The API file is not
among them.
"""

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sebench_tasks.errors import HubError
from sebench_tasks.official_import import Source

NAME = "jintailin/SE-Bench"
CONFIGURATIONS = {"single_test": "single_test", "multi_test": "multiple_test", "train": "train"}
_SPLIT = "train"


def download(name: str, folder: Path) -> list[Source]:
    """Write the problem files of a data set into `folder`, named after its configurations.

    Args:
        name: on the hub, or the path of a local folder with the same configurations.
        folder: where the files go.

    Raises:
        HubError: the package `datasets` is missing, the hub cannot be reached, or it has no such data.
    """
    sources = []
    for set_name, configuration in CONFIGURATIONS.items():
        path = folder / f"{configuration}.jsonl"
        _write(_rows(name, configuration), path)
        sources.append(Source(set_name, path, f"{name}, {configuration}"))
    return sources


def _rows(name: str, configuration: str) -> list[Mapping[str, Any]]:
    try:
        from datasets import load_dataset
        from datasets.exceptions import DatasetsError
    except ImportError as error:
        raise HubError("the hub needs the package datasets: pip install 'sebench-tasks[lm-eval]'") from error
    with tempfile.TemporaryDirectory(prefix="sebench-hub-") as cache:
        try:
            return list(load_dataset(name, configuration, split=_SPLIT, cache_dir=cache))
        except (DatasetsError, OSError, ValueError) as error:
            raise HubError(
                f"cannot load {configuration!r} of {name} from the hub: {error}\nWithout a network, fetch the files "
                "elsewhere and name them with --single, --multi and --train"
            ) from error


def _write(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

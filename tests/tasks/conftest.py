"""Shared by the tests of what is asked: a sample problem, and running translated code in this process."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import zwc._client as client
from sandbox.records import Case
from sebench_tasks.problems import Problem
from zwc.library import open_session
from zwc.vocabulary import Vocabulary

OFFICIAL = Path(__file__).resolve().parents[3] / "shared" / "official"

Runner = Callable[..., list[Any]]


def _make_problem(**changes: Any) -> Problem:
    """A small correct problem; `changes` replace fields."""
    loads = [[1, 2], [3, 5]], [[0, 4], [2, 9]], [[7, 7]], [[1, 8], [2, 9], [6, 1]], [[5, 0]], [[2, 2], [3, 9]]
    more = [[-1, 4], [3, 3]], [[10, 20, 60]]
    fields: dict[str, Any] = {
        "id": "warehouse_daily_load",
        "kind": "single",
        "split": "test",
        "functions": ("median",),
        "statement": (
            "A warehouse notes, for several days, how many pallets each of its gates handled. Given loads with one "
            "list per day, return the middle value of all counts of each day as a float, one per day in order; with "
            "an even number of gates it is halfway between the two middle counts."
        ),
        "signature": "def daily_load(loads):",
        "solution": "import numpy as np\n\ndef daily_load(loads):\n    return np.median(loads, axis=1).tolist()\n",
        "cases": tuple(Case({"loads": rows}, [_median(row) for row in rows]) for rows in (*loads, *more)),
        "provenance": {"author": "test"},
    }
    return Problem(**(fields | changes))


def _median(row: list[int]) -> float:
    ordered, middle = sorted(row), len(row) // 2
    return float(ordered[middle]) if len(row) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


@pytest.fixture(scope="session")
def make_problem() -> Callable[..., Problem]:
    """Makes the sample problem, with other fields where named."""
    return _make_problem


@pytest.fixture
def problem() -> Problem:
    """The sample problem."""
    return _make_problem()


@pytest.fixture(scope="session")
def official_folder() -> Path:
    """The folder with a part of the official data set, which never enters the repository."""
    if not (OFFICIAL / "single_test_part.jsonl").is_file():
        pytest.skip(f"the official data set is not at {OFFICIAL}")
    return OFFICIAL


@pytest.fixture
def run_zwc() -> Iterator[Runner]:
    """Run `zwc` code in this process, as a guest would: arrays in the results come back as lists."""
    before = client._session

    def run(code: str, entry_point: str, calls: list[dict[str, Any]], vocabulary: Vocabulary) -> list[Any]:
        session = open_session(vocabulary)
        client.install(session)
        namespace: dict[str, Any] = {}
        exec(code, namespace)
        return [_plain(namespace[entry_point](**copy.deepcopy(call)), session) for call in calls]

    yield run
    client._session = before


def _plain(value: Any, session: client.Session) -> Any:
    if isinstance(value, client.ZWCArray):
        return session.request("plain", value)
    if isinstance(value, list | tuple):
        return type(value)(_plain(item, session) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item, session) for key, item in value.items()}
    return value

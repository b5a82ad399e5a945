"""Two pools at once, in one process and in two: every verdict as if alone."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from sandbox.launchers import Launcher
from sandbox.pool import Pool
from sandbox.records import Verdict
from tests.conftest import launcher_or_skip
from tests.faults import hosts
from tests.faults.batch import EXPECTED, comparable, requests
from tests.faults.leftovers import Leftovers
from zwc.vocabulary import Vocabulary

VOCABULARIES = ("default", "seed:7")


def _other(launcher: Launcher) -> Launcher:
    return launcher_or_skip("bwrap" if launcher.name != "bwrap" else "docker")


def _graded(launcher: Launcher, source: str) -> list[Verdict]:
    vocabulary = Vocabulary.parse(source)
    with Pool(launcher, vocabulary, workers=2) as pool:
        return comparable(pool.grade_all(requests(vocabulary)))


@pytest.mark.parametrize("sandboxes", ["same", "different"])
def test_in_one_process(launcher: Launcher, sandboxes: str) -> None:
    launchers = (launcher, launcher if sandboxes == "same" else _other(launcher))
    alone = [_graded(one, source) for one, source in zip(launchers, VOCABULARIES, strict=True)]
    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(_graded, launchers, VOCABULARIES))
    assert together == alone
    assert [[verdict.outcome for verdict in verdicts] for verdicts in together] == [EXPECTED] * 2
    assert together[0] != together[1]


def test_in_two_processes(launcher: Launcher, leftovers_of_this_test: Leftovers) -> None:
    pair = [hosts.start_grading(launcher.name, leftovers_of_this_test, source) for source in VOCABULARIES]
    for process in pair:
        printed, complaints = process.communicate(timeout=120)
        assert process.returncode == 0, complaints
        assert json.loads(printed.splitlines()[-1]) == [outcome.value for outcome in EXPECTED]

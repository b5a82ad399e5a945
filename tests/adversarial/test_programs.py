"""No program passes that should not, none finds what it must not find, and none disturbs its neighbours."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import page
import pytest
import suite

from sandbox.comparison import agree
from sandbox.errors import SandboxError
from sandbox.extraction import extract_code
from sandbox.grading import grade
from sandbox.guests import Ended, Returned, RunRecord
from sandbox.policy import judge
from sandbox.records import Library, Limits, Outcome, Tolerance, Verdict

PROGRAMS = suite.load()
HONEST = next(program for program in PROGRAMS if program.name == "honest/plain")
BACKENDS = ("bwrap", "docker")
WORKERS = 2


@dataclass(frozen=True)
class Graded:
    """Both rounds over all programs on one backend."""

    alone: dict[str, Verdict]
    interleaved: dict[str, Verdict]
    honest: list[tuple[str, Verdict]]
    guests_started: int


@pytest.fixture(scope="module", params=BACKENDS)
def graded(request: pytest.FixtureRequest) -> Iterator[Graded]:
    with suite.CountingPool(request.param, workers=WORKERS, limits=suite.LIMITS) as pool:
        try:
            pool.check()
        except SandboxError as error:
            pytest.skip(str(error))
        alone = suite.grade_alone(pool, PROGRAMS)
        interleaved, honest = suite.grade_interleaved(pool, PROGRAMS)
        yield Graded(alone, interleaved, honest, pool.started)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_verdict_is_right(graded: Graded, program: suite.Program) -> None:
    for verdict in (graded.alone[program.name], graded.interleaved[program.name]):
        assert verdict.outcome in program.expected, f"{program.words}: {verdict.detail}"
        assert suite.LOOT not in verdict.detail, f"{program.words}: {verdict.detail}"


def test_honest_neighbours_pass(graded: Graded) -> None:
    failed = [(name, verdict.outcome, verdict.detail) for name, verdict in graded.honest if not verdict.passed]
    assert not failed
    assert len(graded.honest) == len(PROGRAMS)


def test_no_guest_ends(graded: Graded) -> None:
    assert graded.guests_started <= WORKERS


def test_details_can_be_written_and_shown(graded: Graded) -> None:
    for verdict in graded.alone.values():
        assert verdict.detail.encode("utf-8").decode("utf-8").replace("\n", "").isprintable()


def test_programs_are_many_and_distinct() -> None:
    assert len(PROGRAMS) >= 150
    assert len({program.mechanism for program in PROGRAMS}) >= 50
    assert len({program.code.split("\n\n", 1)[1] for program in PROGRAMS}) == len(PROGRAMS)


def test_only_programs_that_should_pass_may_pass() -> None:
    passing = [program for program in PROGRAMS if "passed" in program.expected]
    assert all(program.expected == ("passed",) for program in passing)
    assert len(passing) < 40


def test_readme_tells_the_truth() -> None:
    assert suite.README.read_text(encoding="utf-8") == suite.readme(PROGRAMS)


def test_the_page_of_the_documentation_is_of_these_programs() -> None:
    """Its verdicts come from a run that cannot be repeated here; what it is about can be compared."""
    text = page.PAGE.read_text(encoding="utf-8")
    groups = suite.by_mechanism(PROGRAMS)
    assert page.counts(text) == {name: len(group) for name, group in groups.items()}
    for name, seen in page.verdicts(text).items():
        allowed = {verdict for program in groups[name] for verdict in program.expected}
        assert len(seen) == len(BACKENDS)
        assert all(verdicts and verdicts <= allowed for verdicts in seen), name


def test_a_run_with_faults_says_so() -> None:
    right = {p.name: Verdict(Outcome(p.expected[0]), 0, 8) for p in PROGRAMS}
    passed = Verdict(Outcome.PASSED, 8, 8)
    sound = page.Seen("bwrap", "", 2, right, right, [("honest/plain", passed)])
    assert sound.faults(PROGRAMS) == []
    wrong = right | {"dead_calls/result_thrown_away": passed}
    loot = right | {"files/write_anywhere": Verdict(Outcome.WRONG_ANSWER, 0, 8, detail="LOOT /")}
    failed = [("honest/plain", Verdict(Outcome.CRASHED, 0, 8))]
    for change in ({"alone": wrong}, {"interleaved": loot}, {"honest": failed}, {"guests_started": 3}):
        assert len(replace(sound, **change).faults(PROGRAMS)) == 1


# What a response can do to the host before anything runs in a sandbox.

RESPONSES = {
    "many fences": "```\n" * 5000,
    "many blocks that do not parse": "```\nx(\n" * 3000,
    "a long line of tildes": "~" * 50000 + "`",
    "a long language tag": "```" + "a" * 50000 + "`",
    "many spaces": "```" + " " * 50000 + "`",
    "many unfinished definitions": "def f(x:\n" * 5000,
    "bare code with a broken end": "import zwc\n" * 30 + "def f(x):\n" + "    y = 1\n" * 4000 + "oops oops\n" * 100,
    "many definitions with a broken end": "def f(x):\n    return 1\n" * 2000 + "(\n" * 100,
    "many unfinished thoughts": "<think>" * 20000,
}


@pytest.mark.parametrize("response", RESPONSES.values(), ids=RESPONSES)
def test_extraction_takes_little_time(response: str) -> None:
    before = time.process_time()
    extract_code(response, "f")
    assert time.process_time() - before < 5


def test_policy_compiles_nothing_costly() -> None:
    """Nested finally clauses double the code at each level: a few hundred characters can fill the host's memory."""
    code = "import zwc\ndef f(x):\n"
    for depth in range(1, 12):
        code += f"{' ' * depth}try: return 1\n{' ' * depth}finally:\n"
    code += " " * 12 + "zwc.a\n"
    before = time.process_time()
    assert judge(code, Library.ZWC) is None
    assert time.process_time() - before < 0.1


@pytest.mark.parametrize(
    "value", [10**400, -(10**400), complex(1.7e308, 1.7e308), float("inf"), float("nan"), True, "1"]
)
def test_comparison_with_complex_never_raises(value: object) -> None:
    assert not agree(value, 1 + 1j, Tolerance())
    assert not agree([value], [1 + 1j], Tolerance())


def _record(right: bool) -> RunRecord:
    ended = Ended(0, 0.0, 0)
    witness = {"succeeded": {"mean": 8}, "failed": {}, "misused": {}, "unknown": [], "guessing": False}
    values = [case.expected if right else None for case in suite.PROBLEMS["mean"].cases]
    return RunRecord({i: Returned(v) for i, v in enumerate(values)}, None, 0.01, ended, ended, witness, "")


@pytest.mark.parametrize(
    ("right_when_plain", "right_when_altered", "outcome"),
    [
        ([True, True], [False, False], Outcome.PASSED),
        ([True, False], [False, False], Outcome.WRONG_ANSWER),
        ([True, True], [False, True], Outcome.ANSWER_INDEPENDENT),
        ([True, True], [True] * 4, Outcome.ANSWER_INDEPENDENT),
        ([False], [False], Outcome.WRONG_ANSWER),
    ],
)
def test_failing_by_chance_is_no_dependence(
    right_when_plain: list[bool], right_when_altered: list[bool], outcome: Outcome
) -> None:
    """Plain Python that fails at random looks as if it depended on the library, until it is run once more."""
    response = HONEST.request.response.replace("import zwc", "import random\nimport zwc")
    assert response != HONEST.request.response
    request = replace(HONEST.request, response=response)
    for _ in range(20):  # the order of the runs is random
        plain, altered = iter(right_when_plain), iter(right_when_altered)
        verdict = grade(request, lambda job: _record(next(altered if job.alteration else plain)), Limits())  # noqa: B023
        assert verdict.outcome is outcome

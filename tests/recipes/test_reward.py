"""The reward: what the grader says, verdict shares for the log, and no number where the machinery fails."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from harness_adapters.trl_reward import Form, SandboxReward, graded
from sandbox.errors import SandboxError
from sandbox.pool import Pool
from sandbox.records import GradingRequest, Outcome, Verdict
from tests.conftest import QUICK
from tests.sandbox.mean_requests import HONEST, MEAN, request

WRONG = f"import zwc\ndef f(x):\n    return {MEAN}(x) + 1\n"
COMPLETIONS = [HONEST, "no code", WRONG, [{"role": "assistant", "content": f"```python\n{HONEST}\n```"}]]


def of(key: str, response: str) -> GradingRequest:
    assert key == "mean"
    return GradingRequest(response, "f", request("").cases, ("mean",))


@pytest.fixture(scope="module")
def pool() -> Any:
    with Pool("process", workers=2, limits=QUICK) as pool:
        yield pool


def test_rewards_are_verdicts(pool: Pool) -> None:
    shares: dict[str, float] = {}
    extra: dict[str, list[Any]] = {}
    reward = SandboxReward(pool, of)
    call = reward(COMPLETIONS, ["mean"] * 4, log_metric=shares.__setitem__, log_extra=extra.__setitem__, prompts=[])
    assert asyncio.run(call) == [1.0, 0.0, 0.0, 1.0]
    assert shares == {"verdict/passed": 0.5, "verdict/no_code": 0.25, "verdict/wrong_answer": 0.25}
    assert extra == {"verdict": ["passed", "no_code", "wrong_answer", "passed"]}


def test_graded_rewards_stay_below_a_pass(pool: Pool) -> None:
    assert asyncio.run(SandboxReward(pool, of, Form.GRADED)(COMPLETIONS, ["mean"] * 4)) == [1.0, 0.0, 0.25, 1.0]


def verdict(outcome: Outcome, passed: int, called: tuple[str, ...]) -> Verdict:
    return Verdict(outcome, passed, 8, called, called, 0.1, "", "")


@pytest.mark.parametrize(
    ("given", "reward"),
    [
        (verdict(Outcome.PASSED, 8, ("mean",)), 1.0),
        (verdict(Outcome.WRONG_ANSWER, 4, ("mean",)), 0.375),
        (verdict(Outcome.ANSWER_INDEPENDENT, 8, ()), 0.0),
        (verdict(Outcome.LIBRARY_UNUSED, 0, ()), 0.0),
        (verdict(Outcome.ANSWER_INDEPENDENT, 8, ("mean",)), 0.25),
        (verdict(Outcome.SYNTAX_ERROR, 0, ()), 0.0),
    ],
)
def test_partial_credit(given: Verdict, reward: float) -> None:
    assert graded(given) == reward


def test_a_fault_of_the_machinery_is_raised() -> None:
    with Pool("process", workers=1, limits=QUICK) as pool:
        pass
    with pytest.raises(SandboxError):
        asyncio.run(SandboxReward(pool, of)(COMPLETIONS, ["mean"] * 4))

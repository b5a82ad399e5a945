"""A provider of Inspect that answers with the solution of the problem that it is asked, unless told otherwise."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import cache
from typing import Any

from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi

from sebench_tasks import problems


@cache
def known() -> tuple[problems.Problem, ...]:
    return tuple(problems.load("single_test"))


class Script:
    """What the provider does and has done; `reset` between tests."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.faults: dict[str, Exception | ModelOutput] = {}
        """What happens in place of an answer, by problem id."""
        self.wrong_attempts: Counter[str] = Counter()
        """How many answers are wrong before the right one, by problem id."""
        self.usage: ModelUsage | None = ModelUsage(input_tokens=100, output_tokens=10)
        self.delay_s = 0.0
        self.calls: list[tuple[str, str]] = []
        """Models and problem ids, in order."""
        self.at_once: Counter[str] = Counter()
        self.most_at_once: Counter[str] = Counter()
        self.most_in_all = 0


SCRIPT = Script()


@modelapi(name="scripted")
class Scripted(ModelAPI):
    async def generate(self, input: list[Any], *args: Any, **options: Any) -> ModelOutput:  # noqa: A002
        problem = next(problem for problem in known() if problem.statement.strip() in input[0].text)
        SCRIPT.calls.append((self.model_name, problem.id))
        SCRIPT.at_once[self.model_name] += 1
        SCRIPT.most_at_once |= SCRIPT.at_once
        SCRIPT.most_in_all = max(SCRIPT.most_in_all, SCRIPT.at_once.total())
        try:
            await asyncio.sleep(SCRIPT.delay_s)
        finally:
            SCRIPT.at_once[self.model_name] -= 1
        return self._output(problem)

    def _output(self, problem: problems.Problem) -> ModelOutput:
        fault = SCRIPT.faults.get(problem.id)
        if isinstance(fault, Exception):
            raise fault
        if fault is not None:
            return fault
        wrong = SCRIPT.wrong_attempts[problem.id] > 0
        SCRIPT.wrong_attempts[problem.id] -= wrong
        output = ModelOutput.from_content("scripted", "no code" if wrong else f"```python\n{problem.solution}```")
        output.usage = SCRIPT.usage
        return output

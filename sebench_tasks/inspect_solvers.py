"""The oracle as a solver: `--solver sebench_tasks/oracle`, with `--model none/none`."""

import sys
from pathlib import Path

from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

try:
    from sebench_tasks.oracle import fenced
except ModuleNotFoundError:  # run as a file of a checkout that is not installed
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from sebench_tasks.oracle import fenced

from sebench_tasks.errors import OracleError


@solver
def oracle() -> Solver:
    """Answer with the sample's target, the problem's own solution in the current vocabulary. It must score 100%.

    A solver and not a model, because a model never sees the target.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if not state.target.text.strip():
            raise OracleError(f"sample {state.sample_id!r} has no solution in the words of its vocabulary")
        state.output = ModelOutput.from_content(model="sebench/oracle", content=fenced(state.target.text))
        state.messages.append(state.output.message)
        return state

    return solve

"""Inspect's own sandboxes, one per sample: `inspect eval` with a mock model and a solver that runs the solution.

    inspect_sandbox.py WORKERS docker [--any-engine] [--base IMAGE] | local

`docker` makes a container per sample by docker compose; IMAGE is any with `python3` of the host's minor version, since
the host's NumPy is copied in; the image that this makes stays. `--any-engine` skips Inspect's check of the engine's
version, which refuses old engines that can do what is measured here. `local` has no isolation: a bare subprocess, the
least that any sandbox of Inspect's costs.
"""

from __future__ import annotations

import argparse
import atexit
import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import _program
from _protocol import NotMeasuredError, Prepared, Program, serve

_IMAGE = "sebench-benchmark-numpy"
_COMPOSE = f"""
services:
  default:
    image: {_IMAGE}
    x-local: true
    init: true
    command: tail -f /dev/null
    network_mode: none
"""
_DOCKERFILE = """
ARG BASE
FROM ${BASE}
COPY packages /packages
COPY program.py /program.py
ENV PYTHONPATH=/packages OPENBLAS_NUM_THREADS=1
"""
_IN_CONTAINER = ["python3", "-S", "-s", "-B", "-W", "ignore", "/program.py"]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("workers", type=int)
    parser.add_argument("kind", choices=("docker", "local"))
    parser.add_argument("--any-engine", action="store_true")
    parser.add_argument("--base", default="python:3.11-slim")
    return parser.parse_args()


def _build(base: str, folder: Path) -> None:
    """Build the image of NumPy and the program's script. Raises NotMeasuredError."""
    packages = Path(_program.environment()["PYTHONPATH"])
    for name in ("numpy", "numpy.libs"):
        if (packages / name).is_dir():
            shutil.copytree(packages / name, folder / "packages" / name)
    shutil.copy2(_program.__file__, folder / "program.py")
    (folder / "Dockerfile").write_text(_DOCKERFILE, encoding="utf-8")
    command = ["docker", "build", "--tag", _IMAGE, "--build-arg", f"BASE={base}", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotMeasuredError(f"no image on {base}: {done.stderr.strip().splitlines()[-1]}")


def _check_engine(any_engine: bool) -> None:
    """Raises NotMeasuredError where Inspect would refuse."""
    import anyio
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.util._sandbox.docker import docker, prereqs

    async def accept() -> None:
        await prereqs.validate_docker_compose()

    if any_engine:
        docker.validate_prereqs = accept  # type: ignore[attr-defined]
    try:
        anyio.run(docker.validate_prereqs)  # type: ignore[attr-defined]
    except PrerequisiteError as error:
        raise NotMeasuredError(" ".join(str(error).removeprefix("ERROR: ").split())) from error


def _prepare(options: argparse.Namespace) -> Prepared:
    try:
        import inspect_ai  # noqa: F401
    except ImportError as error:
        raise NotMeasuredError(f"inspect-ai is not installed ({error})") from error
    folder = Path(tempfile.mkdtemp(prefix="sebench-benchmark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if options.kind == "docker":
        _check_engine(options.any_engine)
        _build(options.base, folder)
    (folder / "compose.yaml").write_text(_COMPOSE, encoding="utf-8")
    return Prepared(lambda batch: _evaluate(batch, options, folder))


def _evaluate(batch: Sequence[Program], options: argparse.Namespace, folder: Path) -> int:
    """One evaluation of a batch; how many solutions answered every case. Raises RuntimeError if Inspect fails."""
    import inspect_ai
    from inspect_ai.dataset import Sample

    samples = [Sample(input="-", id=index, metadata=program) for index, program in enumerate(batch)]
    sandbox = ("docker", str(folder / "compose.yaml")) if options.kind == "docker" else "local"
    task = inspect_ai.Task(dataset=samples, solver=_execute(options.kind), sandbox=sandbox)
    [log] = inspect_ai.eval(
        task,
        model="mockllm/model",
        display="none",
        log_dir=str(folder / "logs"),
        max_samples=options.workers,
        max_sandboxes=options.workers,
        fail_on_error=True,
    )
    if log.status != "success" or log.samples is None:
        raise RuntimeError(f"inspect eval ended with {log.status}: {log.error}")
    return sum(bool(sample.metadata["answered"]) for sample in log.samples)


def _execute(kind: str) -> Any:
    from inspect_ai.solver import Generate, TaskState, solver
    from inspect_ai.util import sandbox

    command, environment = (_IN_CONTAINER, {}) if kind == "docker" else (_program.command(), _program.environment())

    @solver
    def execute() -> Any:
        async def solve(state: TaskState, _: Generate) -> TaskState:
            done = await sandbox().exec(command, input=json.dumps(state.metadata), env=environment, timeout=60)
            state.metadata["answered"] = _program.answers(done.stdout) == len(state.metadata["cases"])
            return state

        return solve

    return execute()


def _what(options: argparse.Namespace) -> str:
    if options.kind == "local":
        return "Inspect's local sandbox (no isolation: a lower bound)"
    return "Inspect's Docker sandbox" + (" (its check of the engine skipped)" if options.any_engine else "")


if __name__ == "__main__":
    chosen = _options()
    serve(_what(chosen), lambda: _prepare(chosen))

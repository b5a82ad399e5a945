"""What every backend promises: one suite over all of them. `process` promises the verdicts but no isolation."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from sandbox.guests import Failed, Job, Returned, RunRecord
from sandbox.launchers import Launcher
from sandbox.launchers.commands import guest_environment
from sandbox.pool import Pool
from sandbox.records import Case, Library, Outcome, Verdict
from tests.guests import alive, guest_processes
from tests.sandbox.mean_requests import CASES, HONEST, MEAN, request

ROOT = Path(__file__).resolve().parents[2]


def run(pool: Pool, code: str, **options: Any) -> RunRecord:
    """Run `probe()` of the code and nothing else."""
    return pool._threads.submit(pool._run, Job(textwrap.dedent(code), "probe", [{}], **options)).result()


def value(pool: Pool, code: str, **options: Any) -> Any:
    """What `probe()` returns."""
    result = run(pool, code, **options).results[0]
    assert isinstance(result, Returned), result
    return result.value


def isolated(pool: Pool) -> Pool:
    """Skip what `process` does not promise."""
    if pool.launcher.name == "process":
        pytest.skip("the process sandbox isolates nothing")
    return pool


VERDICTS = [
    (HONEST, Outcome.PASSED),
    ("from zwc import *\ndef f(x): return kocito(x)", Outcome.PASSED),
    (f"import zwc\ndef f(x): return {MEAN}(x) + 1", Outcome.WRONG_ANSWER),
    ("import zwc\nprint('nothing')", Outcome.NO_CODE),
    ("import zwc\ndef f(x) return 1", Outcome.SYNTAX_ERROR),
    ("import numpy as np, zwc\ndef f(x): return np.mean(x)", Outcome.FORBIDDEN_IMPORT),
    ("def f(x): return sum(x) / len(x)", Outcome.LIBRARY_UNUSED),
    ("import zwc\ndef f(x): return sum(x) / len(x)", Outcome.ANSWER_INDEPENDENT),
    (f"import zwc\ndef f(x):\n    {MEAN}(x)\n    return sum(x) / len(x)", Outcome.ANSWER_INDEPENDENT),
    ("import zwc\ndef f(x): return zwc.average(x)", Outcome.UNKNOWN_FUNCTION),
    ("from zwc import average\ndef f(x): return average(x)", Outcome.UNKNOWN_FUNCTION),
    ("from zwc import *\ndef f(x): return average(x)", Outcome.UNKNOWN_FUNCTION),
    (f"import zwc\ndef f(x): return {MEAN}([x, x], axis=0).sum()", Outcome.UNKNOWN_ATTRIBUTE),
    (f"import zwc\ndef f(x): return {MEAN}(x, along=0)", Outcome.BAD_SIGNATURE),
    ("import zwc\ndef f(x): return x[99]", Outcome.RUNTIME_ERROR),
    ("import zwc, sys\ndef f(x): sys.exit(0)", Outcome.RUNTIME_ERROR),
    ("import zwc\ndef f(x):\n    while True: pass", Outcome.TIMEOUT),
    ("import zwc, time\ndef f(x): time.sleep(60)", Outcome.TIMEOUT),
    ("import zwc\ndef f(x): return bytearray(1 << 40)", Outcome.MEMORY_LIMIT),
    ("import zwc\ndef f(x):\n    a = []\n    while True: a.append(bytearray(1 << 20))", Outcome.MEMORY_LIMIT),
    ("import zwc\ndef f(x):\n    while True: print('x' * 1_000_000)", Outcome.OUTPUT_LIMIT),
    ("import zwc\ndef f(x): return [0.5] * 1_500_000", Outcome.OUTPUT_LIMIT),
    ("import zwc, os\ndef f(x): os._exit(0)", Outcome.CRASHED),
    ("import zwc, os, signal\ndef f(x): os.abort()", Outcome.CRASHED),
]


@pytest.mark.parametrize(("code", "expected"), VERDICTS, ids=[f"{o}-{i}" for i, (_, o) in enumerate(VERDICTS)])
def test_every_outcome(pool: Pool, code: str, expected: Outcome) -> None:
    verdict = pool.grade(request(code, CASES[:2]))
    assert verdict.outcome is expected, verdict


def test_all_outcomes_are_tested() -> None:
    assert {outcome for _, outcome in VERDICTS} == set(Outcome)


def test_kernel_memory_has_a_verdict(pool: Pool) -> None:
    zeros = pool.vocabulary.qualified("zeros")
    verdict = pool.grade(request(f"import zwc\ndef f(x): return {zeros}((1 << 20, 1 << 20))"))
    assert verdict.outcome is Outcome.MEMORY_LIMIT
    assert pool.grade(request(HONEST)).passed


def test_kernel_time_has_a_verdict(pool: Pool) -> None:
    multiply, ones = pool.vocabulary.qualified("matmul"), pool.vocabulary.qualified("ones")
    code = f"import zwc\ndef f(x):\n    a = {ones}((1500, 1500))\n    while True: a = {multiply}(a, a)"
    assert pool.grade(request(code)).outcome is Outcome.TIMEOUT
    assert pool.grade(request(HONEST)).passed


def test_verdict_carries_what_was_called(pool: Pool) -> None:
    square = pool.vocabulary.qualified("square")
    verdict = pool.grade(request(f"import zwc\ndef f(x):\n    {square}(x)\n    return {MEAN}(x)"))
    assert verdict.functions_called == ("mean", "square")
    assert verdict.targets_called == ("mean",)
    assert verdict.cases_passed == verdict.cases == len(CASES)
    assert verdict.seconds > 0


def test_cases_are_independent(pool: Pool) -> None:
    verdict = pool.grade(request(f"import zwc\ndef f(x):\n    return 1 / x[0] and {MEAN}(x)"))
    assert (verdict.outcome, verdict.cases_passed) == (Outcome.RUNTIME_ERROR, len(CASES) - 1)


def test_numpy_condition(pool: Pool) -> None:
    verdict = pool.grade(request("import numpy as np\ndef f(x): return np.mean(x)", library=Library.NUMPY))
    assert verdict.passed, verdict


def test_numpy_condition_has_no_zwc(pool: Pool) -> None:
    verdict = isolated(pool).grade(request("import zwc\ndef f(x): return zwc.kocito(x)", library=Library.NUMPY))
    assert verdict.outcome is Outcome.RUNTIME_ERROR


def test_arrays_are_answers(pool: Pool) -> None:
    add = pool.vocabulary.qualified("add")
    cases = (Case({"x": [1, 2]}, [[2, 3], 4]), Case({"x": [5, 6]}, [[6, 7], 8]))
    verdict = pool.grade(request(f"import zwc\ndef f(x): return [{add}(x, 1), {add}(x, 2)[1]]", cases))
    assert verdict.passed, verdict


def test_printing_is_no_reason_to_fail(pool: Pool) -> None:
    noise = "sys.stdout.buffer.write(b'\\xff' * 1_000_000)\n    print('\\ud800')"
    code = f"import zwc, sys\ndef f(x):\n    {noise}\n    return {MEAN}(x)"
    assert pool.grade(request(code)).passed


def test_standard_input_is_empty(pool: Pool) -> None:
    assert value(pool, "import sys\ndef probe(): return sys.stdin.read()") == ""


def test_runs_leave_nothing_in_the_interpreter(pool: Pool) -> None:
    before = value(pool, "import random\ndef probe(): return random.random()")
    run(
        pool,
        """
        import builtins, os, random, sys
        def probe():
            builtins.len = None
            os.environ["A"] = "b"
            random.seed(1)
            sys.setrecursionlimit(50)
        """,
    )
    assert value(
        pool, "import os, sys\ndef probe(): return [len('abc'), 'A' in os.environ, sys.getrecursionlimit()]"
    ) == [3, False, 1000]
    assert value(pool, "import random\ndef probe(): return random.random()") == before


def test_the_view_holds_no_secret(pool: Pool) -> None:
    isolated(pool)
    files = value(
        pool,
        """
        import os
        def probe():
            return [os.path.join(folder, name) for folder, folders, names in os.walk('/') for name in names + folders]
        """,
    )
    assert any(name.endswith("/zwc/_client.py") for name in files)
    forbidden = ("numpy", "vocabulary", "catalog", "problems", "kernel_cell", "witness", "grading", "site-packages/")
    assert [name for name in files if any(word in name.lower() for word in forbidden)] == []
    text = value(
        pool,
        """
        import os
        def probe():
            return ''.join(open(os.path.join(d, n)).read() for d, _, ns in os.walk('/cell') for n in ns)
        """,
    )
    assert "kocito" not in text.replace("`kocito`", "").replace("zwc.kocito", "")


def test_the_process_holds_no_secret(pool: Pool) -> None:
    isolated(pool)
    found = value(
        pool,
        """
        import gc, os, sys
        def probe():
            words = ('qubime', 'kocito', 'numpy', 'arcsin')
            texts = [o for o in gc.get_objects() if isinstance(o, dict)]
            names = {k for d in texts for k in list(d) if isinstance(k, str)}
            return [sorted(names & set(words)), sorted(os.environ), 'numpy' in sys.modules, dir(sys.modules['zwc'])]
        """,
    )
    assert found[0] == []
    assert set(found[1]) <= {*guest_environment(), "HOME", "HOSTNAME", "LC_CTYPE", "PWD"}
    assert found[2:] == [False, ["ZWCArray", "rfx"]]


ESCAPES = {
    "import numpy": "import importlib\ndef probe(): return importlib.import_module('numpy').__name__",
    "fork": "import os\ndef probe(): return os.fork()",
    "exec": "import os, sys\ndef probe(): os.execv(sys.executable, ['x'])",
    "spawn": "import subprocess\ndef probe(): return subprocess.run(['/bin/true']).returncode",
    "network": "import socket\ndef probe(): socket.create_connection(('127.0.0.1', 80), 1)",
    "socket": "import socket\ndef probe(): socket.socket(socket.AF_UNIX)",
    "write": "def probe(): open('/tmp_file', 'w')",
    "write cell": "def probe(): open('/cell/zwc/__init__.py', 'a')",
    "mkdir": "import os\ndef probe(): os.mkdir('/x')",
    "shared memory": "from multiprocessing.shared_memory import *\ndef probe(): SharedMemory(create=True, size=10)",
    "memfd": "import os\ndef probe(): os.memfd_create('x')",
    "signal parent": "import os\ndef probe(): os.kill(os.getppid(), 9)",
    "signal all": "import os\ndef probe(): os.kill(-1, 9)",
    "priority": "import os\ndef probe(): os.setpriority(os.PRIO_PROCESS, 0, -5)",
    "proc": "import os\ndef probe(): return os.listdir('/proc')",
    "chroot": "import os\ndef probe(): os.chroot('/cell')",
    "become root": "import os\ndef probe(): os.setuid(0)",
    "raise limits": "import resource\ndef probe(): resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))",
    "pidfd": "import os\ndef probe(): os.pidfd_open(os.getppid())",
}


@pytest.mark.parametrize("name", ESCAPES)
def test_no_way_out(pool: Pool, name: str) -> None:
    isolated(pool)
    result = run(pool, ESCAPES[name]).results.get(0)
    assert isinstance(result, Failed), result
    assert value(pool, "def probe(): return 1") == 1


def test_not_root_and_no_capabilities(pool: Pool) -> None:
    isolated(pool)
    assert (
        0 not in value(pool, "import os\ndef probe(): return [os.getuid(), os.geteuid()]")
        or pool.launcher.name == "bwrap"
    )


def test_kernel_and_solution_are_different_users(pool: Pool) -> None:
    user = value(isolated(pool), "import os\ndef probe(): return os.getuid()")
    if user in (0, os.getuid()):
        pytest.skip("an ordinary user's namespaces hold that user alone")
    users = {Path(f"/proc/{pid}").stat().st_uid for pid in guest_processes(pool)}
    assert user not in users  # solutions end with their run; the kernel of this or another guest stays
    assert any(user + step in users for step in range(1, 2 * pool.workers, 2)), (user, users)


def test_threads_are_bounded(pool: Pool) -> None:
    isolated(pool)
    count = value(
        pool,
        """
        import threading, time
        def probe():
            n = 0
            threading.stack_size(65536)
            try:
                for n in range(3000):
                    threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
            except RuntimeError:
                pass
            return n
        """,
    )
    assert count < 200


def test_a_killed_guest_changes_no_verdict(launcher: Launcher) -> None:
    with Pool(launcher, workers=2) as pool:
        pool.check()
        list(pool.grade_all([request(HONEST)] * 4))
        guests = list(pool._guests)
        killers = [threading.Timer(0.1, guest.close) for guest in guests]
        for killer in killers:
            killer.start()
        verdicts = list(pool.grade_all([request(HONEST)] * 40))
        assert guests
        assert not pool._guests & set(guests)
    assert [verdict.outcome for verdict in verdicts] == [Outcome.PASSED] * 40


def test_threads_and_event_loops_share_a_pool(pool: Pool) -> None:
    async def grade_some() -> list[Verdict]:
        return list(await asyncio.gather(*(pool.grade_async(request(HONEST)) for _ in range(12))))

    results: list[Verdict] = []
    threads = [threading.Thread(target=lambda: results.extend(asyncio.run(grade_some()))) for _ in range(2)]
    for thread in threads:
        thread.start()
    results.extend(pool.grade_all([request(HONEST)] * 12))
    for thread in threads:
        thread.join()
    assert [verdict.outcome for verdict in results] == [Outcome.PASSED] * 36


def test_the_event_loop_stays_free(pool: Pool) -> None:
    async def watch() -> float:
        grading = asyncio.gather(*(pool.grade_async(request(HONEST)) for _ in range(30)))
        longest = 0.0
        while not grading.done():
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)
        return longest

    assert asyncio.run(watch()) < 1.0


@pytest.mark.parametrize("signal_name", ["SIGKILL", "SIGTERM"])
def test_guests_go_with_the_host(launcher: Launcher, signal_name: str) -> None:
    program = textwrap.dedent(
        f"""
        import os, signal, sys, threading
        from sandbox.pool import Pool
        from tests.sandbox.mean_requests import request
        from tests.guests import guest_processes
        pool = Pool({launcher.name!r}, workers=2)
        pool.check()
        for _ in range(2):
            pool.submit(request("import zwc, time\\ndef f(x): time.sleep(5)"))
        threading.Event().wait(1.5)
        print(*guest_processes(pool), flush=True)
        os.kill(os.getpid(), signal.{signal_name})
        """
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    guests = {int(word) for word in result.stdout.split()}
    assert len(guests) >= 4, result.stderr
    deadline = time.monotonic() + 20
    while alive(guests) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert alive(guests) == set()

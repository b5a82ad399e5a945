"""The command line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from sandbox.errors import GuestDied, SandboxError
from sandbox.launchers import image
from sandbox.launchers.docker import DockerLauncher
from sandbox.launchers.podman import PodmanLauncher
from sandbox.pool import Pool
from sandbox.records import Outcome, Verdict
from sebench_tasks import build, problems
from sebench_tasks.cli import app, doctor
from sebench_tasks.prompts import PROMPT_VERSION
from zwc import catalog, reference
from zwc.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parents[2]
SEBENCH = [sys.executable, "-c", "from sebench_tasks.cli import app; app()"]
# A shell starts what runs in the background with SIGINT ignored, and these tests may run so.
HEED_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
INTERRUPTIBLE = [*SEBENCH[:2], f"{HEED_INTERRUPTS}; {SEBENCH[2]}"]


@pytest.fixture
def problem_file(tmp_path, make_problem):
    path = tmp_path / "problems.jsonl"
    build.write([make_problem(), make_problem(id="other")], path)
    return path


def run(*args):
    return CliRunner().invoke(app, [str(arg) for arg in args])


def write_lines(path, *lines):
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_help_teaches_and_loads_nothing_heavy():
    code = (
        "import sys\nfrom sebench_tasks.cli import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'torch', 'transformers', 'lm_eval', 'inspect_ai', 'docker'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "sebench grade oracle.jsonl" in done.stdout
    assert done.stderr.strip() == "[]"


COMMANDS = "doctor|grade|oracle|reference|tasks-path|vocabulary show|vocabulary new"
COMMANDS += "|problems list|problems show|problems build|problems check|problems coverage|image build|image name"


@pytest.mark.parametrize("command", COMMANDS.split("|"))
def test_every_command_shows_an_example(command):
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    assert "Example" in result.output


@pytest.mark.parametrize("condition", ["closed", "numpy"])
def test_the_oracle_passes(tmp_path, problem_file, condition):
    responses, verdicts = tmp_path / "oracle.jsonl", tmp_path / "verdicts.jsonl"
    made = run("oracle", "--problems", problem_file, "--output", responses, "--condition", condition)
    assert made.exit_code == 0, made.output
    options = ["--sandbox", "process", "--workers", "1", "--condition", condition, "--output", verdicts]
    graded = run("grade", responses, "--problems", problem_file, *options)
    assert graded.exit_code == 0, graded.output
    assert "passed" in graded.stdout
    assert "100.0%" in graded.stdout
    assert [line["passed"] for line in read_lines(verdicts)] == [True, True]


def test_verdicts_come_in_input_order_with_all_fields(tmp_path, problem_file):
    code = "import zwc\ndef daily_load(loads):\n    return zwc.nothing(loads)\n"
    lines = [{"id": "other", "response": "no"}, {"id": "warehouse_daily_load", "response": code, "sample": 4}]
    lines.append({"id": "other", "response": "none"})
    verdicts = tmp_path / "verdicts.jsonl"
    responses = write_lines(tmp_path / "responses.jsonl", *lines)
    result = run("grade", responses, "--problems", problem_file, "--sandbox", "process", "--output", verdicts)
    assert result.exit_code == 0, result.output
    graded = read_lines(verdicts)
    assert [(line["id"], line["sample"], line["verdict"]) for line in graded] == [
        ("other", 0, "no_code"),
        ("warehouse_daily_load", 4, "unknown_function"),
        ("other", 1, "no_code"),
    ]
    fields = "id sample verdict passed cases_passed cases functions_called targets_called seconds detail"
    assert all(list(line) == fields.split() for line in graded)
    assert not Path(f"{verdicts}.partial").exists()


def test_the_run_is_described_beside_the_verdicts(tmp_path, problem_file):
    verdicts = tmp_path / "verdicts.jsonl"
    responses = write_lines(tmp_path / "responses.jsonl", {"id": "other", "response": "no"})
    options = ["--sandbox", "process", "--vocabulary", "seed:7", "--output", verdicts]
    assert run("grade", responses, "--problems", problem_file, *options).exit_code == 0
    described = json.loads(Path(f"{verdicts}.run.json").read_text())
    assert described["problems"] == str(problem_file)
    assert described["problem_set_hash"] == problems.content_hash(problems.load(problem_file))
    words = Vocabulary.from_seed(7)
    assert (described["vocabulary"], described["vocabulary_fingerprint"]) == (words.label, words.fingerprint)
    assert (described["condition"], described["sandbox"]) == ("closed", "process")
    assert described["prompt_version"] == PROMPT_VERSION
    assert {"responses_hash", "sebench-tasks"} <= set(described)


def test_malformed_lines_are_all_reported_and_nothing_is_graded(tmp_path, problem_file):
    good = {"id": "other", "response": "x"}
    lines = [good, "{broken", {"response": "x"}, {"id": "strange", "response": "x"}, {"id": "other", "response": 3}]
    lines += [{"id": "other"}, [1], good | {"sample": "first"}, "", good, good | {"sample": 1}]
    responses, verdicts = write_lines(tmp_path / "responses.jsonl", *lines), tmp_path / "verdicts.jsonl"
    result = run("grade", responses, "--problems", problem_file, "--sandbox", "process", "--output", verdicts)
    assert result.exit_code == 2
    numbers = [line.removeprefix(f"{responses}:").split(":")[0] for line in result.stderr.splitlines()[:-1]]
    assert numbers == ["2", "3", "4", "5", "6", "7", "8", "11"]
    assert "sample 1 of 'other' is in line 10 already" in result.stderr
    assert "unknown problem id 'strange'" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["problems.jsonl", "responses.jsonl"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--problems", "nothing"], "unknown problem source 'nothing'"),
        (["--problems", "{problems}", "--vocabulary", "seed:x"], "seed:N"),
        (["--problems", "{problems}", "--vocabulary", "nofile"], "vocabulary"),
        (["--problems", "official:nofile"], "no official problem file at nofile"),
        (["--problems", "{problems}", "--workers", "0"], "--workers"),
        (["--problems", "{problems}", "--sandbox", "jail"], "--sandbox"),
        (["--problems", "{problems}", "--sandbox", "process", "--output", "{folder}"], "Is a directory"),
        (["--problems", "{problems}", "--sandbox", "process", "--output", "{problems}/v.jsonl"], "problems.jsonl"),
    ],
)
def test_faults_of_options_end_with_a_message(tmp_path, problem_file, args, message):
    responses = write_lines(tmp_path / "responses.jsonl", {"id": "other", "response": "x"})
    result = run("grade", responses, *[arg.format(problems=problem_file, folder=tmp_path) for arg in args])
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_missing_response_file_is_named(tmp_path, problem_file):
    result = run("grade", tmp_path / "none.jsonl", "--problems", problem_file)
    assert (result.exit_code, "none.jsonl" in result.stderr) == (2, True)


def test_a_fault_of_the_machinery_has_its_own_status_and_loses_no_verdict(tmp_path, problem_file, monkeypatch):
    lines = [{"id": "other", "response": str(n)} for n in range(5)]
    responses, verdicts = write_lines(tmp_path / "responses.jsonl", *lines), tmp_path / "verdicts.jsonl"
    args = ["grade", responses, "--problems", problem_file, "--sandbox", "process", "--output", verdicts]

    def fails_after_two(self, requests):
        yield from [Verdict(Outcome.WRONG_ANSWER, 0, 8)] * 2
        raise SandboxError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(Pool, "grade_all", fails_after_two)
        result = run(*args)
    assert result.exit_code == 3
    partial = Path(f"{verdicts}.partial")
    assert f"2 of 5 verdicts are kept in {partial}" in result.stderr
    assert "Error: the disk is full" in result.stderr
    assert not verdicts.exists()
    assert [line["verdict"] for line in read_lines(partial)[1:]] == ["wrong_answer"] * 2
    assert run(*args).exit_code == 0
    assert [line["verdict"] for line in read_lines(verdicts)] == ["wrong_answer"] * 2 + ["no_code"] * 3


class EngineWithoutImages:
    """Stands in for a Docker engine in which nothing was built."""

    images = SimpleNamespace(list=lambda **_: [])

    def ping(self):
        return True

    def close(self):
        return None


def test_a_missing_image_is_told_with_what_to_run(tmp_path, problem_file, monkeypatch):
    monkeypatch.setattr("docker.from_env", lambda **_: EngineWithoutImages())
    responses = write_lines(tmp_path / "responses.jsonl", {"id": "other", "response": "x"})
    result = run("grade", responses, "--problems", problem_file, "--sandbox", "docker")
    assert result.exit_code == 3
    assert "run `sebench image build --sandbox docker`" in result.stderr
    assert "sebench image build --sandbox docker" in doctor._probe("docker")


@pytest.mark.parametrize(("name", "launcher"), [("docker", DockerLauncher), ("podman", PodmanLauncher)])
def test_the_image_is_built_by_the_named_engine(monkeypatch, name, launcher):
    built = []

    def build_image(self, base, report):
        report("Step 1")
        built.append(base)
        return "sha256:1"

    monkeypatch.setattr(launcher, "build", build_image)
    result = run("image", "build", "--sandbox", name)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{image.tag()} sha256:1\n", "Step 1\n")
    run("image", "build", "--sandbox", name, "--base", "mine:1")
    assert built == [image.DEFAULT_BASE, "mine:1"]
    assert run("image", "name").stdout == f"{image.tag()}\n"


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path, problem_file):
    slow = "import time, zwc\ndef daily_load(loads):\n    time.sleep(0.005)\n    return 1\n"
    lines = [{"id": "other", "response": slow} for _ in range(30)]
    responses, verdicts = write_lines(tmp_path / "responses.jsonl", *lines), tmp_path / "verdicts.jsonl"
    partial = Path(f"{verdicts}.partial")
    args = ["grade", responses, "--problems", problem_file, "--sandbox", "process", "--workers", "1"]
    command = [*INTERRUPTIBLE, *map(str, args), "--output", str(verdicts)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (partial.exists() and partial.read_text().count("\n") > 3):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) != 0
    assert not verdicts.exists()
    kept = len(partial.read_text().splitlines()) - 1
    assert 0 < kept < 30
    with partial.open("a") as file:
        file.write('{"id": "cut off')
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=os.environ | {"COLUMNS": "100"}, check=True
    )
    assert f"Going on after {kept} verdicts" in done.stderr
    assert len(read_lines(verdicts)) == 30
    assert not partial.exists()


def test_other_input_does_not_go_on_from_an_old_partial_file(tmp_path, problem_file):
    verdicts = tmp_path / "verdicts.jsonl"
    responses = write_lines(tmp_path / "responses.jsonl", {"id": "other", "response": "no"})
    left = {"run": {"responses_hash": "something else"}}, {"id": "other", "verdict": "passed"}
    for name in ("verdicts.jsonl.partial.old", "verdicts.jsonl.partial.old2"):
        write_lines(Path(f"{verdicts}.partial"), *left)
        result = run("grade", responses, "--problems", problem_file, "--sandbox", "process", "--output", verdicts)
        assert result.exit_code == 0
        assert "Going on" not in result.stderr
        assert f"is of another run; it is now {tmp_path / name}." in result.stderr
        assert read_lines(verdicts)[0]["verdict"] == "no_code"
        assert read_lines(tmp_path / name) == list(left)


def test_the_oracle_writes_the_rest_and_names_what_it_cannot_translate(tmp_path, make_problem):
    source = "import numpy as np\n\ndef daily_load(loads):\n    return np.random.rand()\n"
    build.write([make_problem(), make_problem(id="odd", solution=source)], tmp_path / "problems.jsonl")
    result = run("oracle", "--problems", tmp_path / "problems.jsonl", "--output", tmp_path / "oracle.jsonl")
    assert result.exit_code == 1
    assert "odd: no counterpart for the NumPy name 'random.rand'" in result.stderr
    assert [line["id"] for line in read_lines(tmp_path / "oracle.jsonl")] == ["warehouse_daily_load"]


def test_problems_are_listed_for_people_and_programs(problem_file):
    assert "warehouse_daily_load" in run("problems", "list", problem_file).stdout
    records = [json.loads(line) for line in run("problems", "list", "--json", problem_file).stdout.splitlines()]
    assert records[1]["id"] == "other"
    assert {"id", "kind", "split", "functions"} <= set(records[0])


def test_a_problem_is_shown(problem_file):
    shown = run("problems", "show", "other", "--problems", problem_file)
    assert "daily_load(loads=[[7, 7]])\n    [7.0]" in shown.stdout
    missing = run("problems", "show", "nothing", "--problems", problem_file)
    assert (missing.exit_code, "no problem 'nothing'" in missing.stderr) == (2, True)


def test_check_prints_faults_and_fails(tmp_path, make_problem):
    build.write([make_problem()], tmp_path / "good.jsonl")
    assert run("problems", "check", tmp_path / "good.jsonl").exit_code == 0
    build.write([make_problem(statement="Short.")], tmp_path / "bad.jsonl")
    result = run("problems", "check", tmp_path / "bad.jsonl")
    assert result.exit_code == 1
    assert "warehouse_daily_load: statement: has 1 words" in result.stdout


@pytest.mark.parametrize("form", problems.OFFICIAL_FORMS)
def test_official_solutions_are_not_checked_outside_a_sandbox(form):
    result = run("problems", "check", f"{form}:single_test.jsonl")
    assert result.exit_code == 2
    assert "runs solutions on this machine, in no sandbox" in result.stderr


def test_vocabularies_are_shown_and_made(tmp_path):
    assert run("vocabulary", "show", "mean").stdout == "mean\tzwc.kocito\n"
    unknown = run("vocabulary", "show", "nothing")
    assert (unknown.exit_code, "no such function: nothing; ids look like `linalg.inv`" in unknown.stderr) == (2, True)
    path = tmp_path / "seed7.json"
    assert run("vocabulary", "new", "--seed", 7, "--output", path).exit_code == 0
    by_file, by_seed = (
        run("vocabulary", "show", "--vocabulary", path),
        run("vocabulary", "show", "--vocabulary", "seed:7"),
    )
    assert by_file.stdout == by_seed.stdout
    assert json.loads(run("vocabulary", "new", "--seed", 7).stdout) == json.loads(path.read_text())


@pytest.mark.parametrize("form", ["markdown", "text", "compact", "jsonl"])
def test_the_reference_is_printed(form):
    result = run("reference", "mean", "--format", form)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == reference.render(form, ["mean"], Vocabulary.default())
    everything = run("reference", "--format", form, "--vocabulary", "seed:7").stdout
    assert everything == reference.render(form, catalog.load(), Vocabulary.from_seed(7))


@pytest.mark.parametrize("function_id", ["mean", "linalg.inv"])
def test_a_function_is_named_by_its_id_or_as_code_has_it(function_id):
    words = Vocabulary.from_seed(7)
    by_id, *others = (
        run("reference", name, "--vocabulary", "seed:7").stdout
        for name in (function_id, words.wire_name(function_id), words.qualified(function_id))
    )
    assert by_id == reference.render("text", [function_id], words)
    assert others == [by_id, by_id]


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("inv", "linalg.inv (zwc.rfx.guwij)"),
        ("numpy.mean", "mean (zwc.kocito)"),
        ("kocita", "mean (zwc.kocito)"),
        ("concatenat", "concatenate"),
    ],
)
def test_an_unknown_function_is_told_with_the_nearest(name, nearest):
    result = run("reference", "sum", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"no such function in the vocabulary default: {name}; the nearest: {nearest}" in result.stderr


def test_pseudo_names_of_another_vocabulary_are_unknown():
    other = Vocabulary.from_seed(7).qualified("mean")
    result = run("reference", other, "nothing", "mean")
    assert result.exit_code == 2
    assert all(f": {name};" in result.stderr for name in (other, "nothing"))


def test_pages_of_the_reference_are_written_into_a_new_folder(tmp_path):
    args = ["reference", "--format", "markdown", "--vocabulary", "seed:7", "--output", tmp_path / "pages"]
    words = Vocabulary.from_seed(7)
    written = run(*args)
    assert (written.exit_code, words.fingerprint in written.stdout) == (0, True)
    found = {str(p.relative_to(tmp_path / "pages")): p.read_text() for p in (tmp_path / "pages").rglob("*.md")}
    assert found == reference.markdown_files(words)
    again = run(*args)
    assert (again.exit_code, "is not empty; name another folder" in again.stderr) == (2, True)


@pytest.mark.parametrize("options", [["--format", "jsonl"], [], ["mean", "--format", "markdown"]])
def test_pages_are_for_all_functions_and_markdown(tmp_path, options):
    result = run("reference", *options, "--output", tmp_path / "pages")
    assert (result.exit_code, "goes with --format markdown and no FUNCTION" in result.stderr) == (2, True)
    assert not (tmp_path / "pages").exists()


def test_the_tasks_path_is_a_folder_of_task_files():
    result = run("tasks-path")
    assert "lm-eval" in result.stderr
    folder = Path(result.stdout.strip())
    assert folder.name == "lm_eval_tasks"
    assert list(folder.glob("*.yaml"))


def test_doctor_goes_on_after_a_sandbox_that_fails(monkeypatch):
    def fails(self):
        raise GuestDied("it is gone")

    monkeypatch.setattr(Pool, "check", fails)
    result = run("doctor")
    assert result.exit_code == 1
    assert "it is gone" in result.stdout
    assert "sebench image build" in result.stderr


def test_doctor_reports_every_sandbox_and_versions():
    done = subprocess.run([*SEBENCH, "doctor"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1)
    assert all(name in done.stdout for name in ("docker", "podman", "bwrap", "process", "numpy", "prompt version"))

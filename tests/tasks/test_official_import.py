"""`sebench official import`: the official form in, a folder in the project's own form out."""

import hashlib
import json
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.pool import Pool
from sebench_tasks import build, official, official_hub, official_import, problems
from sebench_tasks.cli import app
from sebench_tasks.cli import official as official_commands
from sebench_tasks.errors import HubError, ImportedDataError, SourceError
from tests.made_up_official import DIAGONAL, GAPS, MIDDLE, api_records, write_api_file, write_rows
from zwc.vocabulary import Vocabulary, VocabularyError

ROOT = Path(__file__).resolve().parents[2]
WORDS = Vocabulary.from_seed(31)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where imports go."""
    monkeypatch.setenv("SEBENCH_OFFICIAL", str(tmp_path / "imported"))
    return tmp_path / "imported"


@pytest.fixture(scope="module")
def kept_pool():
    with Pool("process", workers=2) as pool:
        yield pool


@pytest.fixture(autouse=True)
def _imports_share_one_pool(kept_pool, monkeypatch):
    """A pool takes seconds to start; NumPy solutions need no vocabulary, so one does for all imports."""
    monkeypatch.setattr(official_commands, "_pool", lambda *_: nullcontext(kept_pool))


@pytest.fixture
def files(tmp_path):
    """The API file and the three problem files."""
    given = tmp_path / "given"
    given.mkdir()
    return {
        "api-doc": write_api_file(given / "api_doc.jsonl", WORDS),
        "single": write_rows(given / "single_test.jsonl", MIDDLE, DIAGONAL),
        "multi": write_rows(given / "multiple_test.jsonl", GAPS),
        "train": write_rows(given / "train.jsonl", MIDDLE, GAPS),
    }


def run(*args):
    return CliRunner().invoke(app, [str(arg) for arg in args])


def import_files(files, *more, names=("api-doc", "single", "multi", "train")):
    options = [word for name in names for word in (f"--{name}", files[name])]
    return run("official", "import", *options, "--sandbox", "process", *more)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def report(folder):
    return json.loads((folder / "import.json").read_text())


def test_an_import_is_asked_like_any_problem_set(files, folder):
    result = import_files(files)
    assert result.exit_code == 0, result.output
    assert sorted(contents(folder)) == [
        "import.json", "multi_test.jsonl", "single_test.jsonl", "train.jsonl", "vocabulary.json"
    ]  # fmt: skip
    sets = {name: problems.load(name) for name in problems.IMPORTED_SETS}
    assert {name: [(p.id, p.kind, p.split) for p in found] for name, found in sets.items()} == {
        "official_single": [("single_test/0", "single", "test"), ("single_test/1", "single", "test")],
        "official_multi": [("multiple_test/0", "multi", "test")],
        "official_train": [("train/0", "single", "train"), ("train/1", "multi", "train")],
    }
    tolerances = {problem.tolerance for found in sets.values() for problem in found}
    assert [(one.relative, one.absolute) for one in tolerances] == [(0.0, 1e-2)]
    words = Vocabulary.parse("official")
    assert (words.names, words.label) == (WORDS.names, "official")


def test_an_imported_set_is_what_its_file_gives(files):
    write_rows(files["single"], MIDDLE, DIAGONAL | {"right_exe_result": "5.5#1#8"})
    import_files(files)
    by_file = problems.load(f"official:{files['single']}", sandbox="process")
    assert by_file[1].cases[2].alternatives == (4,)
    assert problems.content_hash(problems.load("official_single")) == problems.content_hash(by_file)


def test_kind_and_split_follow_the_option_and_not_the_name_of_the_file(files, folder):
    renamed = files["single"].rename(files["single"].with_name("train_multi.jsonl"))
    import_files({**files, "single": renamed}, names=("api-doc", "single"))
    assert [(p.id, p.kind, p.split) for p in problems.load("official_single")] == [
        ("train_multi/0", "single", "test"), ("train_multi/1", "single", "test")
    ]  # fmt: skip


def test_the_report_says_what_came_from_where(files, folder):
    contradicting = {**MIDDLE, "right_exe_result": "2.5#4.0#8.5"}
    raising = {**MIDDLE, "test_cases": [*MIDDLE["test_cases"], {"input": "values='no'"}]}
    raising["right_exe_result"] += "#1.0"
    write_rows(files["single"], MIDDLE, "{broken", contradicting, raising)
    result = import_files(files)
    assert result.exit_code == 1
    written = report(folder)
    single = written["sets"]["single_test"]
    for path, digest in [(files["single"], single["source_sha256"]), (folder / "single_test.jsonl", single["sha256"])]:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    assert (single["source"], single["problems"]) == (str(files["single"]), 3)
    assert single["problem_set_hash"] == problems.content_hash(problems.load("official_single"))
    assert [row["line"] for row in single["malformed"]] == [2]
    assert single["contradicts_its_solution"] == {"single_test/2": [2]}
    assert single["solution_raises"] == {"single_test/3": [3]}
    assert single["not_reconciled"] == {}
    assert written["sets"]["train"]["functions_per_problem"] == {"1": 1, "3": 1}
    assert written["vocabulary"]["fingerprint"] == WORDS.fingerprint
    assert written["vocabulary"]["functions"] == len(WORDS.names)
    assert written["made_with"]["sandbox"] == "process"
    assert {"sebench-tasks", "numpy"} <= written["made_with"].keys()


def test_the_summary_ends_with_what_to_run(files, folder):
    output = import_files(files).stdout
    assert "official_single" in output
    assert f"fingerprint {WORDS.fingerprint}" in output
    assert f"Folder: {folder}" in output
    assert "--tasks sebench_official_single,sebench_official_multi" in output
    assert "inspect eval sebench_tasks/sebench_official_single" in output
    assert "export" not in output
    assert run("official", "show").stdout == output


def test_an_import_elsewhere_says_how_it_is_found(files, tmp_path, monkeypatch):
    result = import_files(files, "--output", tmp_path / "elsewhere")
    assert f"export SEBENCH_OFFICIAL={tmp_path / 'elsewhere'}\n" in result.stdout
    with pytest.raises(SourceError, match="no official data is imported"):
        problems.load("official_single")
    monkeypatch.setenv("SEBENCH_OFFICIAL", str(tmp_path / "elsewhere"))
    assert len(problems.load("official_single")) == 2


@pytest.mark.parametrize("name", problems.IMPORTED_SETS)
def test_without_an_import_the_command_is_named(name, folder):
    with pytest.raises(SourceError, match=rf"{folder}: run `sebench official import --api-doc .* --single "):
        problems.load(name)
    with pytest.raises(VocabularyError, match="run `sebench official import` first"):
        Vocabulary.parse("official")


# Faults of the input


def test_lines_that_cannot_be_read_are_numbered_and_left_out(files):
    other_form = {"question": "What?"}
    write_rows(files["multi"], GAPS, "{broken", "", GAPS | {"selected_functions": ["nothing"]}, other_form, "[]", GAPS)
    result = import_files(files)
    assert result.exit_code == 1
    told = [line.removeprefix(f"{files['multi']}:") for line in result.stderr.splitlines() if "left out" in line]
    assert [line.partition(":")[0] for line in told] == ["2", "3", "4", "5", "6"]
    assert "unknown function 'nothing'" in told[2]
    assert [problem.id for problem in problems.load("official_multi")] == ["multiple_test/0", "multiple_test/6"]


def unknown_name(files):
    mapping = json.dumps({"np.nothing": "zwc.kuzopi"})
    strange = {"original_name": "nothing", "curr_name": "kuzopi", "func_mapping": mapping}
    write_rows(files["api-doc"], *api_records(WORDS), strange)


def incomplete_names(files):
    write_rows(files["api-doc"], *api_records(WORDS)[3:])


def missing(option):
    def remove(files):
        files[option].unlink()

    return remove


def no_problem(files):
    write_rows(files["multi"], "{broken", "[]")


def not_text(files):
    files["single"].write_bytes(b"\xff\xfe\x00")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (missing("api-doc"), "api_doc.jsonl: cannot be read"),
        (unknown_name, "unknown functions nothing"),
        (incomplete_names, "no name for "),
        (missing("multi"), "no official problem file at "),
        (no_problem, "none of its 2 lines is a problem of the official form; line 1: not JSON"),
        (not_text, "not UTF-8 text"),
    ],
    ids=["no API file", "unknown name", "incomplete names", "no problem file", "no problem", "not text"],
)
@pytest.mark.parametrize("earlier", [False, True])
def test_wrong_input_leaves_the_earlier_import_as_it_was(files, folder, damage, message, earlier):
    if earlier:
        import_files(files)
    before = contents(folder) if earlier else {}
    damage(files)
    result = import_files(files)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert contents(folder) == before


@pytest.mark.parametrize("more", [(), ("--single", "x", "--hub", "y")])
def test_problems_come_from_files_or_from_the_hub(files, more):
    result = import_files(files, *more, names=("api-doc",))
    assert result.exit_code == 2
    assert "or a data set with --hub" in result.stderr


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)
ODD_TEXT = st.sampled_from(
    ["", " ", "\0", "x=" + "[" * 300, "a={[]: 1}", "a={(1, []): 2}", "a=" + "9" * 5000, "x=1e999", "a=-True", "*a",
     "a=1+" * 3000 + "1", "def", "def middle(", "\ud800", "a='\ud800'", "a={**{}}", "a=complex('x')"]
)  # fmt: skip


@settings(deadline=None)
@given(field=st.sampled_from([*MIDDLE, "input"]), value=JSON | ODD_TEXT)
def test_whatever_stands_in_a_row_is_a_problem_or_a_reason(tmp_path_factory, field, value):
    changed = {"test_cases": [{"input": value}], "right_exe_result": "1"} if field == "input" else {field: value}
    path = write_rows(tmp_path_factory.mktemp("rows") / "single_test.jsonl", MIDDLE | changed)
    read, rejected = official.load_lenient(path)
    assert len(read) + len(rejected) == 1
    for problem in read:
        [back] = problems.parse_lines([build.to_text([problem])], "file")
        assert problems.content_hash([back]) == problems.content_hash([problem])


@pytest.mark.parametrize("line", ["[" * 100_000, "9" * 5000, '{"a": NaN'])
def test_lines_on_which_the_parser_gives_up_are_left_out(tmp_path, line):
    read, [rejected] = official.load_lenient(write_rows(tmp_path / "single_test.jsonl", MIDDLE, line))
    assert (len(read), rejected.line) == (1, 2)


# Solutions and the sandbox


def test_a_solution_that_leaves_no_result_keeps_its_recorded_results(files, folder):
    ending = MIDDLE | {"example_output": ["import os\n\ndef middle(values):\n    os._exit(3)\n"]}
    write_rows(files["single"], ending, DIAGONAL)
    result = import_files(files)
    assert result.exit_code == 0, result.output
    assert "Recorded results alone: single_test/0: no result of its solution for case 0" in result.stderr
    assert list(report(folder)["sets"]["single_test"]["not_reconciled"]) == ["single_test/0"]
    first, second = problems.load("official_single")
    assert first.provenance["not_reconciled"] is True
    assert [case.expected for case in first.cases] == [2.5, 4.0, 7.0]
    assert "not_reconciled" not in second.provenance


def not_there(self):
    raise SandboxUnavailable("no daemon answers")


def dies_in_the_second_solution(self, job, original=Pool.run):
    if "diagonal_sum" in job.code:
        raise SandboxError("the daemon died")
    return original(self, job)


@pytest.mark.parametrize(
    ("method", "fault", "message"),
    [("check", not_there, "no daemon answers"), ("run", dies_in_the_second_solution, "the daemon died")],
)
def test_a_fault_of_the_sandbox_leaves_the_earlier_import_as_it_was(files, folder, monkeypatch, method, fault, message):
    import_files(files)
    before = contents(folder)
    monkeypatch.setattr(Pool, method, fault)
    result = import_files(files, names=("api-doc", "single"))
    assert result.exit_code == 3
    assert f"Error: {message}" in result.stderr
    assert contents(folder) == before


# The folder


def test_a_second_import_replaces_the_first_as_a_whole(files, folder):
    import_files(files)
    other = Vocabulary.from_seed(32)
    write_api_file(files["api-doc"], other)
    write_rows(files["single"], DIAGONAL)
    assert import_files(files, names=("api-doc", "single")).exit_code == 0
    assert sorted(contents(folder)) == ["import.json", "single_test.jsonl", "vocabulary.json"]
    assert Vocabulary.parse("official").names == other.names
    assert [problem.functions for problem in problems.load("official_single")] == [("linalg.trace",)]
    with pytest.raises(SourceError, match="has no multi_test, only single_test: import again with --multi FILE"):
        problems.load("official_multi")


@pytest.mark.parametrize("step", range(12))
def test_an_import_that_cannot_be_moved_into_place_puts_the_earlier_one_back(files, folder, monkeypatch, step):
    import_files(files, names=("api-doc", "single", "multi"))
    before = contents(folder)
    write_api_file(files["api-doc"], Vocabulary.from_seed(32))
    moved = []
    replace = Path.replace

    def fails_once(self, target):
        moved.append(target)
        if len(moved) == step + 1:
            raise OSError("the disk is full")
        return replace(self, target)

    with monkeypatch.context() as failing:
        failing.setattr(Path, "replace", fails_once)
        result = import_files(files, names=("api-doc", "single", "train"))
    moves = 8  # four files of the earlier import out of the way, four new ones in
    assert result.exit_code == (3 if step < moves else 0), result.output
    assert (contents(folder) == before) == (step < moves)


def test_a_first_import_that_fails_leaves_nothing(files, folder, monkeypatch):
    def full(*args):
        raise OSError("the disk is full")

    monkeypatch.setattr(build, "write", full)
    assert import_files(files).exit_code == 3
    assert contents(folder) == {}


def test_files_that_no_import_wrote_are_not_replaced(files):
    before = contents(files["api-doc"].parent)
    result = import_files(files, "--output", files["api-doc"].parent)
    assert result.exit_code == 2
    assert "holds single_test.jsonl, train.jsonl but no import.json" in result.stderr
    assert contents(files["api-doc"].parent) == before


def test_other_files_of_the_folder_stay(files, folder):
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    import_files(files)
    import_files(files)
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_refused_before_anything_runs(files, tmp_path, monkeypatch):
    monkeypatch.setattr(official_import, "read", None)
    (tmp_path / "file").touch()
    result = import_files(files, "--output", tmp_path / "file" / "folder")
    assert result.exit_code == 2
    assert "name another folder with --output" in result.stderr


def test_a_read_only_folder_is_refused(files, folder):
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("bubblewrap, which makes a folder read-only here for root too, is not installed")
    folder.mkdir()
    command = [bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--chdir", str(ROOT), sys.executable]
    if subprocess.run([*command, "-c", ""], check=False).returncode:
        pytest.skip("bubblewrap does not work here")
    command += ["-c", "from sebench_tasks.cli import app; app()", "official", "import"]
    command += ["--api-doc", files["api-doc"], "--single", files["single"]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert f"cannot write to {folder}" in done.stderr
    assert "Read-only file system" in done.stderr


def test_a_set_that_was_changed_since_is_refused(files, folder):
    import_files(files)
    with (folder / "single_test.jsonl").open("a") as file:
        file.write("\n")
    with pytest.raises(ImportedDataError, match=r"single_test.jsonl is not what import.json beside it describes"):
        problems.load("official_single")
    assert len(problems.load("official_multi")) == 1
    (folder / "multi_test.jsonl").unlink()
    with pytest.raises(ImportedDataError, match=r"multi_test.jsonl is not what"):
        problems.load("official_multi")
    assert import_files(files).exit_code == 0


@pytest.mark.parametrize("text", ["{", "[]", '{"sets": 3}', '{"sets": {"single_test": {}}}'])
def test_a_damaged_report_is_refused(files, folder, text):
    import_files(files)
    (folder / "import.json").write_text(text)
    with pytest.raises(ImportedDataError, match="damaged"):
        problems.load("official_single")


# The commands


def test_the_oracle_passes_in_the_imported_names(files, tmp_path):
    import_files(files)
    responses, verdicts = tmp_path / "oracle.jsonl", tmp_path / "verdicts.jsonl"
    assert run("oracle", "--problems", "official_single", "--output", responses).exit_code == 0
    assert WORDS.qualified("median") in responses.read_text()
    options = ["--sandbox", "process", "--workers", 1, "--output", verdicts]
    assert run("grade", responses, "--problems", "official_single", *options).exit_code == 0
    graded = [json.loads(line)["verdict"] for line in verdicts.read_text().splitlines()]
    assert graded == ["passed", "passed"]
    described = json.loads(Path(f"{verdicts}.run.json").read_text())
    assert described["vocabulary_fingerprint"] == WORDS.fingerprint


@pytest.mark.parametrize(("named", "words"), [("default", Vocabulary.default()), ("official", WORDS)])
def test_a_vocabulary_that_is_named_wins(files, tmp_path, make_problem, named, words):
    import_files(files)
    build.write([make_problem()], tmp_path / "own.jsonl")
    for problem_set in ("official_single", tmp_path / "own.jsonl"):
        run("oracle", "--problems", problem_set, "--vocabulary", named, "--output", tmp_path / "oracle.jsonl")
        assert words.qualified("median") in (tmp_path / "oracle.jsonl").read_text()


def test_imported_problems_are_listed_and_shown(files):
    import_files(files)
    assert "multiple_test/0" in run("problems", "list", "official_multi").stdout
    assert "gaps(values=[5])" in run("problems", "show", "multiple_test/0", "--problems", "official_multi").stdout


def test_imported_solutions_are_not_checked_outside_a_sandbox(files, folder):
    import_files(files)
    for source in ("official_single", folder / "single_test.jsonl"):
        result = run("problems", "check", source)
        assert result.exit_code == 2
        assert "runs solutions on this machine, in no sandbox" in result.stderr


@pytest.mark.parametrize("command", ["import", "show"])
def test_every_command_shows_an_example(command):
    result = run("official", command, "--help")
    assert (result.exit_code, "Example" in result.stdout) == (0, True)


# The hub


@pytest.fixture
def repository(tmp_path):
    """A local stand-in for the data set on the hub: the same configurations, each with its rows in a split `train`."""
    pytest.importorskip("datasets", reason="needs the package datasets")
    folder = tmp_path / "SE-Bench"
    folder.mkdir()
    lines = ["---", "configs:"]
    for name, rows in {"train": [MIDDLE, GAPS], "single_test": [MIDDLE, DIAGONAL], "multiple_test": [GAPS]}.items():
        write_rows(folder / f"{name}.jsonl", *rows)
        lines += [f"- config_name: {name}", "  data_files:", "  - split: train", f"    path: {name}.jsonl"]
    (folder / "README.md").write_text("\n".join([*lines, "---", ""]))
    return folder


def test_a_data_set_of_the_hub_gives_what_its_files_give(files, repository, folder):
    import_files(files)
    by_files = {name: problems.content_hash(problems.load(name)) for name in problems.IMPORTED_SETS}
    shutil.rmtree(folder)
    result = import_files(files, "--hub", repository, names=("api-doc",))
    assert result.exit_code == 0, result.output
    assert {name: problems.content_hash(problems.load(name)) for name in problems.IMPORTED_SETS} == by_files
    assert report(folder)["sets"]["multi_test"]["source"] == f"{repository}, multiple_test"


def test_rows_of_the_hub_that_cannot_be_read_are_numbered(files, repository):
    write_rows(repository / "single_test.jsonl", MIDDLE, {**DIAGONAL, "function_name": None}, DIAGONAL)
    result = import_files(files, "--hub", repository, names=("api-doc",))
    assert result.exit_code == 1
    assert f"{repository}, single_test:2: left out: 'function_name' must be str" in result.stderr


def test_a_data_set_without_a_configuration_is_refused(tmp_path, repository):
    readme = repository / "README.md"
    readme.write_text(readme.read_text().replace("config_name: multiple_test", "config_name: other"))
    with pytest.raises(HubError, match=r"(?s)cannot load 'multiple_test' of .*--multi"):
        official_hub.download(str(repository), tmp_path)


def test_without_a_network_the_files_are_asked_for(files, folder):
    pytest.importorskip("datasets", reason="needs the package datasets")
    code = "import os, sys; os.environ['HF_HUB_OFFLINE'] = '1'\nfrom sebench_tasks.cli import app; app(sys.argv[1:])"
    command = [sys.executable, "-c", code, "official", "import", "--api-doc", files["api-doc"], "--hub"]
    done = subprocess.run([*command, official_hub.NAME], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert f"cannot load 'single_test' of {official_hub.NAME} from the hub" in done.stderr
    assert "--single, --multi and --train" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(folder) == {}


def test_without_the_package_datasets_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(HubError, match=r"pip install 'sebench-tasks\[lm-eval\]'"):
        official_hub.download(official_hub.NAME, tmp_path)

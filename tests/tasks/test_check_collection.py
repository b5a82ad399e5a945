"""The checker takes named sets, built files, and source files wherever they lie."""

import pytest
from typer.testing import CliRunner

from sebench_tasks import build, problems
from sebench_tasks.checking.collection import collect
from sebench_tasks.cli import app
from sebench_tasks.errors import ProblemFormatError, SourceError

SOURCE = """
[[problem]]
id = "{name}"
functions = ["median"]
signature = "def daily_load(loads):"
statement = '''{statement}'''
solution = '''
import numpy as np

def daily_load(loads):
    return {returned}
'''
cases = [{cases}]
"""


@pytest.fixture
def write(tmp_path, problem):
    """Writes a source file with the sample problem, changed as asked."""

    def to(place, returned="np.median(loads, axis=1).tolist()", **changes):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        cases = ", ".join(f'"loads={case.arguments["loads"]}"' for case in problem.cases)
        fields = {"name": problem.id, "statement": problem.statement, "cases": cases} | changes
        path.write_text(SOURCE.format(returned=returned, **fields))
        return path

    return to


def run(*args):
    return CliRunner().invoke(app, ["problems", *map(str, args)])


def test_files_and_folders_are_solved_and_compared_with_the_own_problems(write, tmp_path, problem):
    path = write("drafts/single_test/depots.toml")
    for source in (path, path.parent, tmp_path / "drafts"):
        found = collect([str(source)])
        assert [record.id for record in found.records] == [problem.id]
        assert found.records[0].cases == problem.cases
        assert {record.id for record in found.others} == {record.id for record in build.read_sources(build.SOURCES)}


def test_own_files_are_compared_with_the_rest():
    path = build.SOURCES / "single_test" / "statistics.toml"
    found = collect([str(path)])
    assert {record.id for record in found.records}.isdisjoint(record.id for record in found.others)
    assert len(found.records) + len(found.others) == len(build.read_sources(build.SOURCES))


def test_named_sets_are_compared_with_the_rest():
    found = collect(["single_test"])
    assert len(found.records) + len(found.others) == len(problems.load("all"))


def test_further_drafts_are_compared(write, tmp_path, problem):
    mine = write("mine/single_test/a.toml")
    write("theirs/single_train/b.toml", name="elsewhere")
    found = collect([str(mine)], [tmp_path / "theirs", mine])
    assert [record.id for record in found.others if record.id == "elsewhere"]
    assert not [record.id for record in found.others if record.id == problem.id]


def test_a_failing_solution_is_a_fault(write):
    found = collect([str(write("single_test/a.toml", returned="1 / 0"))])
    assert found.records == []
    assert found.faults[0].text == "the solution fails on case 1: ZeroDivisionError: division by zero"


def test_missing_places_and_wrong_folders_are_errors(write, tmp_path):
    with pytest.raises(SourceError, match="is no source file"):
        collect([str(tmp_path)])
    with pytest.raises(ProblemFormatError, match="must be named <kind>_<split>"):
        collect([str(write("drafts/a.toml"))])


def test_a_good_draft_is_clean_and_a_bad_one_is_named_line_by_line(write):
    good = write("good/single_test/a.toml")
    result = run("check", good)
    assert (result.exit_code, result.stdout) == (0, "")
    bad = write("bad/single_train/b.toml", name="other", returned="np.median(loads, axis=1)[:1].tolist()")
    result = run("check", bad, "--against", good)
    assert result.exit_code == 1
    assert "other: duplicate: 100% of the word runs are those of warehouse_daily_load" in result.stdout
    assert all(line.startswith("other: ") for line in result.stdout.splitlines())


def test_equivalent_mutants_are_counted(write):
    path = write("single_test/a.toml")
    text = path.read_text()
    path.write_text(text.replace("functions", 'equivalent = ["nothing"]\nfunctions'))
    result = run("check", path)
    assert "no mutant that gives the same answers is named 'nothing'" in result.stdout
    assert "1 problems, 1 faults, 1 mutants listed as equivalent" in result.stderr
    path.write_text(text.replace("functions", "equivalent = [1]\nfunctions"))
    assert "'equivalent' must be a list of names of mutants" in run("check", path).stderr


def test_the_set_is_checked_only_when_asked(write):
    path = write("single_test/a.toml")
    result = run("check", path, "--set")
    assert "set: size: 1 single_test problems, expected at least 268" in result.stdout


def test_coverage_names_what_is_missing(write):
    path = write("single_test/a.toml")
    shown = run("coverage", path, "--all").stdout
    line = next(line for line in shown.splitlines() if " median " in line)
    assert [cell.strip() for cell in line.split("│")[2:5]] == ["1 of 1", "0 of 2", "0 of 4"]
    assert "size: 1 single_test problems" in shown

"""The checks of a gate as Markdown for people and as JUnit XML for the pages of a CI service."""

from collections.abc import Sequence
from xml.etree import ElementTree

from sebench_tasks.results.gate import Check, Standing

_MARKS = {Standing.PASSED: "passed", Standing.FAILED: "**failed**", Standing.UNJUDGED: "**not judged**"}


def markdown(checks: Sequence[Check]) -> str:
    """A table with a line for each check."""
    lines = ["| check | | found |", "|---|---|---|"]
    lines += [f"| {check.name} | {_MARKS[check.standing]} | {check.text} |" for check in checks]
    return "\n".join(lines) + "\n"


def junit(checks: Sequence[Check]) -> str:
    """A test case for each check: below a threshold is a failure, what could not be judged an error."""
    failures = sum(check.standing is Standing.FAILED for check in checks)
    errors = sum(check.standing is Standing.UNJUDGED for check in checks)
    counts = {"tests": str(len(checks)), "failures": str(failures), "errors": str(errors)}
    suite = ElementTree.Element("testsuite", {"name": "sebench gate", **counts})
    for check in checks:
        case = ElementTree.SubElement(suite, "testcase", {"classname": "sebench.gate", "name": check.name})
        if check.standing is Standing.PASSED:
            ElementTree.SubElement(case, "system-out").text = check.text
        else:
            kind = "failure" if check.standing is Standing.FAILED else "error"
            ElementTree.SubElement(case, kind, {"message": check.text})
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"

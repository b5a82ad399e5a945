"""The checker: what every problem must satisfy before it may ask anything of a model.

`inspect_text` needs nothing but the record, `inspect_runs` runs the solution and its mutants with NumPy, and
`inspect_sandbox` grades three responses in a sandbox.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandbox.comparison import agree
from sandbox.records import Tolerance
from sebench_tasks import build, neighbours, numpy_runs, oracle, problems
from sebench_tasks.errors import OracleError
from sebench_tasks.grading_requests import grading_request
from sebench_tasks.problems import Problem
from sebench_tasks.prompts import Condition, value_text
from sebench_tasks.translation import methods, names

if TYPE_CHECKING:
    from sandbox.pool import Pool
    from zwc.vocabulary import Vocabulary

MIN_CASES = 8
MUTANT_LIMIT_S = 0.5
STATEMENT_WORDS = (25, 160)
FORBIDDEN_WORDS = frozenset({"numpy", "np", "zwc", "ndarray", "linalg", "ufunc", "scipy", "rfx"})
_ENGLISH = """
    absolute add all any around array average block choose clip compress conjugate copy correlate cross degrees
    delete diagonal divide dot empty equal extract eye flip floor full gradient greater histogram identity inner
    insert invert less log maximum mean median minimum multiply negative nonzero norm ones outer pad
    partition percentile piecewise place positive power put quantile radians real reciprocal remainder repeat
    reshape resize roll roots round select shape sign size solve sort spacing split square stack subtract sum take
    tan tile trace transpose unique unwrap where zeros
"""
PLAIN_ENGLISH = frozenset(_ENGLISH.split())
"""Function ids that statements may use as the English words that they are."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Fault:
    """One rule that one problem breaks."""

    problem_id: str
    rule: str
    text: str


def inspect(records: Sequence[Problem], vocabulary: "Vocabulary", pool: "Pool | None" = None) -> list[Fault]:
    """All faults of all problems; with a pool also those that only grading shows."""
    faults = [*inspect_text(records, vocabulary), *inspect_runs(records)]
    if pool is not None:
        faults += inspect_sandbox(records, vocabulary, pool)
    return sorted(faults, key=lambda fault: (fault.problem_id, fault.rule))


def inspect_text(records: Sequence[Problem], vocabulary: "Vocabulary") -> list[Fault]:
    """Faults that the records themselves show: ids, statement, signature, cases, functions."""
    repeated = [key for key, count in Counter(problem.id for problem in records).items() if count > 1]
    faults = [Fault(key, "id", "is not unique") for key in repeated]
    forbidden = _forbidden_words(vocabulary)
    for problem in records:
        texts = [*_statement_faults(problem, forbidden), *_form_faults(problem), *_case_faults(problem)]
        faults += [Fault(problem.id, rule, text) for rule, text in texts]
    return faults


def inspect_runs(records: Sequence[Problem]) -> list[Fault]:
    """Faults that running with NumPy shows: failing or varying solutions, values that are not plain, weak cases."""
    jobs = [build.solution_job(problem) for problem in records]
    first = numpy_runs.run(jobs, hash_seed=1)
    second = numpy_runs.run(jobs[::-1], hash_seed=2)[::-1]
    faults = []
    for problem, one, other in zip(records, first, second, strict=True):
        faults += [Fault(problem.id, *found) for found in _run_faults(problem, one, other)]
    return faults + _mutant_faults(records)


def inspect_sandbox(records: Sequence[Problem], vocabulary: "Vocabulary", pool: "Pool") -> list[Fault]:
    """Faults that grading shows: the oracle fails, or an answer without the library passes."""
    faults: list[Fault] = []
    expected: list[tuple[Problem, str, bool, str]] = []
    for problem in records:
        expected += [(problem, "", False, "an empty answer"), (problem, lookup_answer(problem), False, "a look-up")]
        try:
            expected.append((problem, oracle.answer(problem, vocabulary, Condition.CLOSED), True, "the oracle"))
        except OracleError as error:
            faults.append(Fault(problem.id, "oracle", str(error)))
    requests = [grading_request(problem, response, Condition.CLOSED) for problem, response, _, _ in expected]
    for (problem, _, passes, what), verdict in zip(expected, pool.grade_all(requests), strict=True):
        if verdict.passed != passes:
            faults.append(Fault(problem.id, "grading", f"{what} is {verdict.outcome}: {verdict.detail}"))
    return faults


def lookup_answer(problem: Problem) -> str:
    """A response that knows the cases by heart and no function of the library."""
    pairs = ", ".join(f"({_keyed(dict(case.arguments))!r}, {value_text(case.expected)})" for case in problem.cases)
    parameters = ", ".join(f"{name!r}: {name}" for name in problem.cases[0].arguments)
    return oracle.fenced(
        f"import zwc\n\nKNOWN = [{pairs}]\n\n{problem.signature.strip()}\n"
        f"    asked = repr({{{parameters}}})\n"
        "    return next(answer for arguments, answer in KNOWN if arguments == asked)"
    )


def _keyed(arguments: dict[str, Any]) -> str:
    return repr(arguments)


def _forbidden_words(vocabulary: "Vocabulary") -> frozenset[str]:
    ids = {function_id.rpartition(".")[2] for function_id in vocabulary.names}
    return frozenset(FORBIDDEN_WORDS | (ids - PLAIN_ENGLISH) | set(vocabulary.names.values()))


def _statement_faults(problem: Problem, forbidden: frozenset[str]) -> Iterator[tuple[str, str]]:
    words = problem.statement.split()
    low, high = STATEMENT_WORDS
    if not low <= len(words) <= high:
        yield "statement", f"has {len(words)} words, expected {low} to {high}"
    found = sorted({word for word in _WORD.findall(problem.statement) if word.lower() in forbidden})
    if found:
        yield "statement", f"uses the words {', '.join(found)}"


def _form_faults(problem: Problem) -> Iterator[tuple[str, str]]:
    try:
        definition = ast.parse(problem.signature.strip() + " pass").body[0]
        tree = ast.parse(problem.solution)
    except SyntaxError as error:
        yield "form", f"signature or solution is not Python ({error})"
        return
    if not isinstance(definition, ast.FunctionDef):
        yield "form", f"the signature is not that of a function: {problem.signature!r}"
        return
    parameters = [argument.arg for argument in definition.args.args]
    if any(list(case.arguments) != parameters for case in problem.cases):
        yield "form", f"the cases must pass {', '.join(parameters)}, in this order"
    if not any(isinstance(node, ast.FunctionDef) and node.name == definition.name for node in tree.body):
        yield "form", f"the solution does not define {definition.name}"
    unused = [target for target in problem.functions if target not in _used(problem.solution, tree)]
    if unused:
        yield "functions", f"the solution does not use {', '.join(unused)}"


def _used(solution: str, tree: ast.Module) -> set[str]:
    called = {node.func.attr for node in ast.walk(tree)
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}  # fmt: skip
    by_method = called & {*methods.SAME_ARGUMENTS, "reshape", "transpose", "astype", "compress", "sort", "copy"}
    return names.function_paths(solution) | by_method


def _case_faults(problem: Problem) -> Iterator[tuple[str, str]]:
    asked = {problems.encoded_text(case.arguments) for case in problem.cases}
    if len(asked) < MIN_CASES:
        yield "cases", f"{len(asked)} distinct cases, expected at least {MIN_CASES}"
    answers = {problems.encoded_text(case.expected) for case in problem.cases}
    if len(answers) == 1:
        yield "cases", "every answer is the same"
    for name in problem.cases[0].arguments:
        if all(agree(case.arguments.get(name), case.expected, Tolerance()) for case in problem.cases):
            yield "cases", f"every answer repeats the argument {name}"


def _run_faults(
    problem: Problem, first: Sequence[numpy_runs.CaseOutcome], second: Sequence[numpy_runs.CaseOutcome]
) -> Iterator[tuple[str, str]]:
    tolerance = problem.tolerance or Tolerance()
    for number, (case, one, other) in enumerate(zip(problem.cases, first, second, strict=True), 1):
        if one.error is not None:
            yield "solution", f"case {number} fails: {one.error}"
        elif other.error is not None or problems.encoded_text(one.value) != problems.encoded_text(other.value):
            yield "solution", f"case {number} differs between two runs"
        elif not one.plain:
            yield "solution", f"case {number} gives more than int, float, bool, complex and lists"
        elif not agree(one.value, case.expected, tolerance):
            yield "solution", f"case {number} does not give the expected value"


def _mutant_faults(records: Iterable[Problem]) -> list[Fault]:
    found = [(problem, *mutant) for problem in records for mutant in neighbours.mutants(problem)]
    jobs = [
        numpy_runs.Job(source, problem.entry_point, tuple(case.arguments for case in problem.cases))
        for problem, _, _, source in found
    ]
    faults = []
    for (problem, target, neighbour, _), results in zip(
        found, numpy_runs.run(jobs, limit_s=MUTANT_LIMIT_S), strict=True
    ):
        if _survives(problem, results):
            faults.append(Fault(problem.id, "neighbour", f"{neighbour} in place of {target} gives the same answers"))
    return faults


def _survives(problem: Problem, results: Sequence[numpy_runs.CaseOutcome]) -> bool:
    tolerance = problem.tolerance or Tolerance()
    return all(
        result.error is None and agree(result.value, case.expected, tolerance)
        for result, case in zip(results, problem.cases, strict=True)
    )
